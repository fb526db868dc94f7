import { type L4Feed, NO_TEXTS_WANTED, type TextsWanted } from '@l4desk/feed';
import type { SystemClock } from '@l4desk/runtime/node';
import type { RecentEntries } from './recent-entries.ts';

interface WantedTextsDeps {
  readonly feed: Pick<L4Feed, 'wantTexts'>;
  readonly recent: Pick<RecentEntries, 'readAll'>;
  readonly clock: Pick<SystemClock, 'after'>;
  /** Coins whose statuses are all read by something other than clients, because they are recorded. */
  readonly readElsewhere: ReadonlySet<string>;
  /** How long published entries are kept for clients that resume, in ms. */
  readonly keepMs: number;
}

interface Lingering {
  /** The texts that currently have a reader. */
  wanted: TextsWanted;
  readonly cancel: () => void;
}

/**
 * Tells the feed which texts of each coin have a reader. All statuses of a coin are requested for some time after the last
 * reader leaves: a client that reconnects resumes with kept entries, and with those published while it reads them (RES-1).
 */
export class WantedTexts {
  readonly #deps: WantedTextsDeps;
  /** Coins whose statuses are all read by a client. */
  readonly #all = new Set<string>();
  /** Coins whose statuses were all read until recently. */
  readonly #lingering = new Map<string, Lingering>();

  constructor(deps: WantedTextsDeps) {
    this.#deps = deps;
  }

  /** Sets the texts of a coin that clients read from now on. */
  set(coin: string, wanted: TextsWanted): void {
    if (wanted.all !== this.#all.has(coin)) this.#readAll(coin, wanted.all);
    const lingering = this.#lingering.get(coin);
    if (lingering !== undefined) lingering.wanted = wanted;
    this.#want(coin, lingering === undefined ? wanted : { ...wanted, all: true });
  }

  close(): void {
    for (const { cancel } of this.#lingering.values()) cancel();
  }

  #readAll(coin: string, isRead: boolean): void {
    const { clock, keepMs, recent } = this.#deps;
    recent.readAll(coin, isRead);
    this.#lingering.get(coin)?.cancel();
    this.#lingering.delete(coin);
    if (isRead) {
      this.#all.add(coin);
      return;
    }
    this.#all.delete(coin);
    if (keepMs === 0) return;
    // Reading the kept entries may take as long again.
    const cancel = clock.after(2 * keepMs, () => this.#end(coin));
    this.#lingering.set(coin, { wanted: NO_TEXTS_WANTED, cancel });
  }

  #end(coin: string): void {
    const wanted = this.#lingering.get(coin)?.wanted ?? NO_TEXTS_WANTED;
    this.#lingering.delete(coin);
    this.#want(coin, wanted);
  }

  #want(coin: string, wanted: TextsWanted): void {
    const { feed, readElsewhere } = this.#deps;
    feed.wantTexts(coin, readElsewhere.has(coin) ? { ...wanted, all: true } : wanted);
  }
}
