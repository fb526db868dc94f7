import { fits } from '@l4desk/protocol';
import { exchangeStatus } from '@l4desk/protocol/upstream';
import type { InfoClient } from './info-client.ts';

/** How long a reading counts. */
const FRESH_MS = 10_000;

/** The service responds to `/readyz` without the lag if the upstream takes longer. */
const TIMEOUT_MS = 1_500;

/** How far the state of the upstream is behind (D64). It is read when somebody asks for it, at most every 10 s. */
export class UpstreamLag {
  readonly #info: InfoClient;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  #reading: Promise<number | null> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** As last reported: an upstream that is late is no less so while it is too slow to tell. */
  #lagMs: number | null = null;

  /** `now` is ms since the Unix epoch, `elapsed` monotonic time in ms. */
  constructor(info: InfoClient, now: () => number, elapsed: () => number) {
    this.#info = info;
    this.#now = now;
    this.#elapsed = elapsed;
    if (info.dialect === 'exchange') info.reserve([EXCHANGE_STATUS], 60_000 / FRESH_MS);
  }

  /** Resolves with the lag in ms; null if the upstream never reported it. A hosted service is not asked, because it costs credits. */
  read(): Promise<number | null> {
    if (this.#info.dialect === 'service') return Promise.resolve(null);
    const now = this.#elapsed();
    if (this.#reading === undefined || now - this.#readAt >= FRESH_MS) {
      this.#readAt = now;
      this.#reading = this.#ask();
    }
    return this.#reading;
  }

  async #ask(): Promise<number | null> {
    try {
      const status = (await this.#info.ask(EXCHANGE_STATUS, { timeoutMs: TIMEOUT_MS })).json();
      if (fits(exchangeStatus, status)) this.#lagMs = Math.max(0, this.#now() - status.time);
    } catch {
      // `exchangeStatus` failed, so nothing new is known.
    }
    return this.#lagMs;
  }
}

const EXCHANGE_STATUS = { type: 'exchangeStatus' } as const;
