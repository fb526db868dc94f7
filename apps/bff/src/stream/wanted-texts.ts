import { type Clock, type L4Feed, NO_TEXTS_WANTED, type TextsWanted } from '@l4desk/feed';
import type { RecentEntries } from './recent-entries.ts';

interface WantedTextsDeps {
  readonly feed: Pick<L4Feed, 'wantTexts'>;
  readonly recent: Pick<RecentEntries, 'readAll'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Coins of which all statuses are read by others than clients: they are recorded. */
  readonly readElsewhere: ReadonlySet<string>;
  /** How long published entries are kept for clients that resume, in ms. */
  readonly keepMs: number;
}

interface Lingering {
  /** What has a reader now. */
  wanted: TextsWanted;
  readonly cancel: () => void;
}

/**
 * Tells the feed which texts of each coin have a reader. All statuses of a coin are asked for some time longer than a client
 * reads them: one that reconnects resumes with entries that are kept, and with those that come while it reads these (RES-1).
 */
export class WantedTexts {
  readonly #deps: WantedTextsDeps;
  /** Coins of which all statuses are read by a client. */
  readonly #all = new Set<string>();
  /** Coins of which all statuses were read a moment ago. */
  readonly #lingering = new Map<string, Lingering>();

  constructor(deps: WantedTextsDeps) {
    this.#deps = deps;
  }

  /** What clients read of a coin from now on. */
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
    // Those that are kept may take as long again to read.
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
