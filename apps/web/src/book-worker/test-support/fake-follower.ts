import { L4Book } from '@l4desk/book';
import type {
  CoinState,
  CoinView,
  ConnectionState,
  DisconnectReason,
  FollowEvent,
  Follower,
  GapReason,
  StopReason,
  Verification,
} from '@l4desk/client';
import { type BookLevels, decodeUpdates } from '@l4desk/protocol';
import { Chance, SourceBook } from '@l4desk/testkit';
import { viewWithoutBook } from '../worker/recorded/resting-view.ts';

const EPOCH = '3f2a0000-0000-4000-8000-000000000000';

/** A fake follower whose source is a random book: what the worker sees of the client, without a network. */
export class FakeFollower implements Follower {
  connection: ConnectionState = { kind: 'open', since: 0 };
  roundTripMs: number | undefined = 4;
  coins: readonly string[];
  verification: Promise<Verification> | undefined;
  /** Ms since the Unix epoch, set by the test. */
  now = Date.UTC(2026, 4, 5, 17, 39, 12);
  readonly #onEvent: (event: FollowEvent) => void;
  readonly #followed = new Map<string, { source: SourceBook; view: CoinView }>();
  readonly #seed: number;

  constructor(coin: string, onEvent: (event: FollowEvent) => void, seed = 1) {
    this.coins = [coin];
    this.#onEvent = onEvent;
    this.#seed = seed;
    this.add([coin]);
  }

  add(coins: readonly string[]): void {
    this.coins = [...new Set([...this.coins, ...coins])];
    for (const coin of coins) {
      const source = new SourceBook(coin, new Chance(this.#seed + coin.length), 60);
      this.#followed.set(coin, {
        source,
        view: viewWithoutBook(coin, { kind: 'waiting', reason: null, detail: '', since: 0 }),
      });
    }
  }

  remove(coins: readonly string[]): void {
    this.coins = this.coins.filter((coin) => !coins.includes(coin));
    for (const coin of coins) this.#followed.delete(coin);
  }

  coin(coin: string): CoinView | undefined {
    return this.#followed.get(coin)?.view;
  }

  /** The source's current book. */
  levels(coin: string): BookLevels {
    return this.#get(coin).source.levels();
  }

  /** Makes the coin's book empty. */
  makeEmpty(coin: string): void {
    this.#get(coin).source = new SourceBook(coin, new Chance(this.#seed), 0);
  }

  /** Delivers the snapshot, of this place of the stream: the coin is live from here on. `levels` replace those of the source. */
  goLive(
    coin: string,
    { levels, ...at }: Partial<Pick<CoinView, 'height' | 'seq' | 'epoch'>> & { readonly levels?: BookLevels } = {},
  ): void {
    const followed = this.#get(coin);
    const { book } = L4Book.build(coin, levels ?? followed.source.levels());
    const state: CoinState = { kind: 'live', reason: null, detail: '', since: this.now };
    const previous = followed.view.state;
    followed.view = { ...followed.view, state, book, height: 100, seq: 1, epoch: EPOCH, ...at, blockTime: this.now };
    this.#onEvent({ kind: 'book', coin, book });
    this.#onEvent({ kind: 'state', coin, state, previous });
  }

  /** Applies one block of the source, `by` blocks after the last one; the blocks between did not change the coin. */
  block(coin: string, by = 1): void {
    const followed = this.#get(coin);
    const { view, source } = followed;
    const { diffs, statuses } = source.block();
    const height = (view.height ?? 0) + by;
    const seq = (view.seq ?? 0) + 1;
    const batch = decodeUpdates({
      epoch: view.epoch ?? EPOCH,
      block_height: height,
      time: this.now,
      cursor: `${height}:${this.now}`,
      book_diffs: [{ coin, seq, prev_seq: seq - 1, order_statuses: statuses, book_diffs: diffs }],
    }).coins[0];
    if (batch === undefined || view.book === undefined) throw new Error(`${coin} has no book`);
    const findings = view.book.apply(batch.changes, batch.statuses, batch.time);
    if (findings.length > 0) throw new Error(JSON.stringify(findings));
    followed.view = { ...view, height, seq, blockTime: this.now, lastBlockAt: this.now, lastMessageAt: this.now };
    this.#onEvent({ kind: 'block', coin, batch });
  }

  /** A message that changes only the last message time. */
  pong(coin: string): void {
    const followed = this.#get(coin);
    followed.view = { ...followed.view, lastMessageAt: this.now };
  }

  emit(event: FollowEvent): void {
    this.#onEvent(event);
  }

  verify(): Promise<Verification> {
    return this.verification ?? Promise.reject(new Error('no verification prepared'));
  }

  /** The gaps that the page reported. */
  readonly missedCoins: { readonly coin: string; readonly reason: GapReason; readonly detail: string }[] = [];

  missed(coin: string, reason: GapReason, detail: string): void {
    this.missedCoins.push({ coin, reason, detail });
  }

  /** The `/readyz` response about the coins while all is well. */
  readiness() {
    const books = [...this.#followed].map(([coin, { view }]) => [
      coin,
      { coin, state: 'live', height: view.height, epoch: view.epoch, seq: view.seq },
    ]);
    return { upstreamL4: { status: 'ok' }, books: Object.fromEntries(books) };
  }

  close(): void {
    if (this.connection.kind !== 'stopped') this.stop({ kind: 'closed' });
  }

  /** Ends the connection for good. */
  stop(reason: StopReason): void {
    this.#disconnect({ kind: 'stopped', reason, since: this.now }, 'stopped');
  }

  /** The connection is lost, or could not be opened; a reconnection follows. */
  lose(reason: DisconnectReason): void {
    this.#disconnect({ kind: 'waiting', attempt: 1, reason, since: this.now, retryAt: this.now }, 'disconnected');
  }

  #disconnect(connection: ConnectionState, reason: 'stopped' | 'disconnected'): void {
    this.connection = connection;
    for (const followed of this.#followed.values()) {
      const without = reason === 'stopped' ? 'unavailable' : 'waiting';
      const kind = followed.view.book === undefined ? without : 'stale';
      followed.view = { ...followed.view, state: { kind, reason, detail: reason, since: this.now } };
    }
    this.#onEvent({ kind: 'connection', connection });
  }

  #get(coin: string) {
    const followed = this.#followed.get(coin);
    if (followed === undefined) throw new Error(`${coin} is not followed`);
    return followed;
  }
}
