import { type CoinBatch, type DecodedSnapshot, decodeUpdates, type L4Order } from '@l4desk/protocol';
import { type Chance, SourceBook } from '@l4desk/testkit';

type Levels = [L4Order[], L4Order[]];

interface SourceCoin {
  book: SourceBook;
  seq: number;
}

/**
 * A service with several coins in one subscription (§4.7): it sequences each coin separately, restarts with a new epoch,
 * rebuilds a coin by skipping a number (D28), and remembers every book it ever had.
 */
export class SimulatedSource {
  epoch = 'epoch-0';
  private readonly coins = new Map<string, SourceCoin>();
  private readonly history = new Map<string, Levels>();
  private height = 1_000;
  private restarts = 0;

  constructor(names: readonly string[], chance: Chance) {
    for (const [index, name] of names.entries()) {
      this.coins.set(name, { book: new SourceBook(name, chance, 12, 1_000_000 * (index + 1)), seq: 0 });
      this.remember(name);
    }
  }

  /** A block in which these coins change: the batch as a client decodes it, one entry per coin. */
  block(names: readonly string[]): readonly CoinBatch[] {
    this.height += 1;
    const entries = names.map((name) => {
      const coin = this.coin(name);
      const { diffs, statuses } = coin.book.block();
      const prevSeq = coin.seq;
      coin.seq += 1;
      this.remember(name);
      return { coin: name, seq: coin.seq, prev_seq: prevSeq, order_statuses: statuses, book_diffs: diffs };
    });
    return decodeUpdates({ time: 0, block_height: this.height, epoch: this.epoch, cursor: '', book_diffs: entries })
      .coins;
  }

  /** Restarts all sequences, with books that have changed meanwhile. */
  restart(): void {
    this.restarts += 1;
    this.height += 1;
    this.epoch = `epoch-${this.restarts}`;
    for (const [name, coin] of this.coins) {
      coin.book.block();
      coin.seq = 0;
      this.remember(name);
    }
  }

  /** Blocks of a coin were lost upstream: its book jumps, and its sequence skips a number. */
  rebuild(name: string): void {
    const coin = this.coin(name);
    coin.book.block();
    coin.seq += 1;
    this.remember(name);
  }

  snapshot(name: string): DecodedSnapshot {
    const { seq } = this.coin(name);
    return {
      coin: name,
      time: 0,
      height: this.height,
      epoch: this.epoch,
      seq,
      levels: this.levelsAt(name, this.epoch, seq),
    };
  }

  /** The book of a coin as it was then. */
  levelsAt(name: string, epoch: string, seq: number): Levels {
    const levels = this.history.get(`${name} ${epoch} ${seq}`);
    if (levels === undefined) throw new Error(`${name} never was at ${epoch}, seq ${seq}`);
    return levels;
  }

  private coin(name: string): SourceCoin {
    const coin = this.coins.get(name);
    if (coin === undefined) throw new Error(`no coin ${name}`);
    return coin;
  }

  private remember(name: string): void {
    const { book, seq } = this.coin(name);
    this.history.set(`${name} ${this.epoch} ${seq}`, book.levels());
  }
}
