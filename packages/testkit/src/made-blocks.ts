import type { Updates } from '@l4desk/protocol';

/** The last entries that a client has, as it reports them when it subscribes. */
export interface ResumePoint {
  readonly epoch: string;
  readonly seq: Readonly<Record<string, number>>;
}

/** The current position of the service, and how many entries of each coin it keeps. */
interface Reached {
  readonly epoch: string;
  readonly seq: (coin: string) => number;
  readonly keepsEntries: number;
}

/** The blocks that a scripted service made in its epoch, for clients that resume. */
export class MadeBlocks {
  /** Oldest first. */
  #blocks: readonly Updates[] = [];

  add(updates: Updates): void {
    this.#blocks = [...this.#blocks, updates];
  }

  /** Removes this many of the last three, oldest first. */
  lose(blocks: number): void {
    this.#blocks = [...this.#blocks.slice(0, -3), ...this.#blocks.slice(-3).slice(blocks)];
  }

  clear(): void {
    this.#blocks = [];
  }

  /** Returns what a client missed since its entries, and the outcome for each coin. */
  missed({ epoch, seq }: ResumePoint, reached: Reached) {
    const resumed: Record<string, number> = {};
    const refused: Record<string, string> = {};
    for (const [coin, after] of Object.entries(seq)) {
      const until = reached.seq(coin);
      if (epoch !== reached.epoch) refused[coin] = 'epoch';
      else if (after > until) refused[coin] = 'future';
      else if (until - after > reached.keepsEntries) refused[coin] = 'expired';
      else resumed[coin] = until;
    }
    const blocks = this.#blocks.flatMap((updates) => {
      const book_diffs = updates.book_diffs.filter(({ coin, seq: at }) => coin in resumed && at > (seq[coin] ?? at));
      return book_diffs.length === 0 ? [] : [{ ...updates, book_diffs }];
    });
    return { outcome: { resumed, refused }, blocks };
  }
}
