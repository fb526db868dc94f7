import { parsedJson, z } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { KV } from '@nats-io/kv';
import type { NatsSession } from './nats-link.ts';

export interface LeaseDeps {
  readonly session: () => NatsSession | null;
  /** A monotonic clock in ms. */
  readonly now: () => number;
  readonly gained: () => void;
  readonly lost: (reason: string) => void;
  readonly log: Log;
}

/**
 * How often the leader renews the lease, how often others check it, and after how long without renewal they take it over: a
 * standby leads within 5 s of the leader's end, including one check and the takeover itself.
 */
export const LEASE_TIMES = { renewMs: 800, checkMs: 400, expiresMs: 2_500 };

export type LeaseTimes = Readonly<typeof LEASE_TIMES>;

const KEY = 'leader';

/** The leader's id; empty if the last leader released the lease. */
const holder = z.object({ id: z.string() });

/** Stands for a holder that cannot be read; no process has this id. Its lease expires unless it is renewed. */
const UNKNOWN_ID = '?';

/**
 * The leader's lease: a key that it rewrites, naming the revision before. Others measure how long it is unchanged, so
 * clocks need not agree. It decides who tries to lead; the stream ensures that only one publishes.
 */
export class Lease {
  readonly #id: string;
  readonly #deps: LeaseDeps;
  readonly #times: LeaseTimes;
  /** The revision that we wrote; null unless we lead. */
  #held: number | null = null;
  /** The observed revision, and since when it is unchanged. */
  #seen: { readonly revision: number; readonly at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(id: string, deps: LeaseDeps, times: LeaseTimes = LEASE_TIMES) {
    this.#id = id;
    this.#deps = deps;
    this.#times = times;
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  start(): void {
    this.#next(0);
  }

  /** Releases the lease, so that others can take over at once. This process competes again after `pauseMs`. */
  async resign(pauseMs: number): Promise<void> {
    clearTimeout(this.#timer);
    await this.#release();
    this.#next(pauseMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#release();
  }

  async #release(): Promise<void> {
    await this.#checking;
    const revision = this.#held;
    this.#held = null;
    this.#seen = null;
    if (revision !== null) await this.#write('', revision).catch(() => {});
  }

  /** The lease loop: runs until closed. */
  #next(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check().then(() => this.#next(this.isHeld ? this.#times.renewMs : this.#times.checkMs));
    }, ms);
  }

  async #check(): Promise<void> {
    try {
      if (this.#held === null) await this.#tryToTake();
      else await this.#renew(this.#held);
    } catch (error) {
      // Time without a successful check does not count.
      this.#seen = null;
      this.#deps.log.debug({ err: error }, 'lease not reached');
    }
  }

  async #renew(revision: number): Promise<void> {
    try {
      this.#held = await this.#write(this.#id, revision);
    } catch (error) {
      // A write without a response may have succeeded.
      const found = await this.#read();
      if (this.#held === null) return;
      if (found?.holder === this.#id) {
        this.#held = found.revision;
        return;
      }
      this.#held = null;
      this.#deps.lost('another sequencer took the lease');
      throw error;
    }
  }

  async #tryToTake(): Promise<void> {
    const found = await this.#read();
    const now = this.#deps.now();
    if (found !== null && found.holder !== '') {
      if (this.#seen?.revision !== found.revision) this.#seen = { revision: found.revision, at: now };
      if (now - this.#seen.at < this.#times.expiresMs) return;
    }
    // If several try at once, one succeeds: the others name a revision that is no longer the last.
    this.#held = await this.#write(this.#id, found?.revision ?? 0);
    this.#seen = null;
    if (this.#closed) return;
    this.#deps.gained();
  }

  async #read(): Promise<{ readonly holder: string; readonly revision: number } | null> {
    const entry = await this.#bucket.get(KEY);
    if (entry === null) return null;
    const { revision } = entry;
    if (entry.operation !== 'PUT') return { holder: '', revision };
    const id = readHolder(entry.string());
    if (id === undefined) this.#deps.log.warn({ revision }, 'holder of the lease cannot be read');
    return { holder: id ?? UNKNOWN_ID, revision };
  }

  /** Writes the holder if the key is at that revision (0: if there is no key). Resolves with the new revision. */
  async #write(id: string, revision: number): Promise<number> {
    return this.#bucket.put(KEY, JSON.stringify({ id } satisfies z.infer<typeof holder>), {
      previousSeq: revision,
    });
  }

  get #bucket(): KV {
    const session = this.#deps.session();
    if (session === null) throw new Error('NATS is not connected');
    return session.lease;
  }
}

function readHolder(text: string): string | undefined {
  return holder.safeParse(parsedJson(text)).data?.id;
}
