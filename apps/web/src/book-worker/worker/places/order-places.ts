import type { CoinState, CoinView, FollowEvent, Follower } from '@l4desk/client';
import { type FlowEvent, History } from '@l4desk/insight';
import type { Address, CoinBatch } from '@l4desk/protocol';
import { type BookAt, bookAt } from '../book-at.ts';
import { CreditWatch, type CreditWatchDeps } from '../credit-watch.ts';
import { Pace } from '../pace.ts';
import { type CoinPlaces, CoinPlacesWatch } from './coin-places.ts';

/** The places in a coin are reported at most this often. */
const TOLD_MS = 500;

/** Changes are read block by block; there is no time travel in coins followed only for places. */
const READ_BOUNDS = { blocks: 2, changes: 20_000, stretches: 1 } as const;

export interface OrderPlacesDeps extends CreditWatchDeps {
  readonly follow: (coin: string, onEvent: (event: FollowEvent) => void) => Follower;
  post(places: CoinPlaces): void;
  /** The book that the page follows anyway. */
  main(): { readonly coin: string; readonly view: CoinView | undefined };
}

const UNFOLLOWED: Pick<CoinState, 'kind' | 'detail'> = { kind: 'waiting', detail: 'not followed yet' };

/**
 * The places of open orders, per coin: from the book that the page follows, and from further coins that are followed only for
 * this, over a separate connection.
 */
export class OrderPlaces {
  readonly #deps: OrderPlacesDeps;
  readonly #coins = new Map<string, CoinPlacesWatch>();
  readonly #histories = new Map<string, History>();
  readonly #changed = new Set<string>();
  readonly #credits: CreditWatch;
  #wallets: readonly Address[] = [];
  #follower: Follower | undefined;
  readonly #pace: Pace;

  constructor(deps: OrderPlacesDeps) {
    this.#deps = deps;
    this.#pace = new Pace(deps, TOLD_MS, () => this.#tellChanged());
    this.#credits = new CreditWatch(deps, {
      onShortage: () => {
        // Its reconnection attempts would be refused until there are credits.
        this.#follower?.close();
        this.#noteChanges();
      },
      onReturn: () => this.restart(),
    });
  }

  /** Reports the places of these wallets' orders in these coins, and in no others. */
  want(coins: readonly string[], wallets: readonly Address[]): void {
    this.#wallets = wallets;
    for (const coin of this.#coins.keys()) if (!coins.includes(coin)) this.#coins.delete(coin);
    for (const coin of coins) {
      const watch = this.#coins.get(coin) ?? new CoinPlacesWatch(coin);
      this.#coins.set(coin, watch);
      watch.watch(wallets, this.#live(coin));
      this.#noteChange(coin);
    }
    this.#followOthers();
  }

  restart(): void {
    if (this.#follower?.connection.kind === 'stopped') this.#followOthers();
  }

  onMainBlock(live: BookAt, prevSeq: number, eventsOf: () => readonly FlowEvent[] | undefined): void {
    const watch = this.#coins.get(live.book.coin);
    if (watch === undefined) return;
    watch.onBlock(live, prevSeq, eventsOf());
    this.#noteChange(watch.coin);
  }

  /** The page follows another book, or the state of its book changed. */
  onMainState(): void {
    this.#noteChange(this.#deps.main().coin);
  }

  #followOthers(): void {
    const main = this.#deps.main().coin;
    const coins = [...this.#coins.keys()].filter((coin) => coin !== main);
    for (const coin of this.#histories.keys()) if (!coins.includes(coin)) this.#histories.delete(coin);
    if (coins.length === 0 || this.#follower?.connection.kind === 'stopped') {
      this.#follower?.close();
      this.#follower = undefined;
    }
    const [first] = coins;
    if (first === undefined) return this.#credits.stop();
    this.#follower ??= this.#deps.follow(first, (event) => this.#onEvent(event));
    this.#follower.add(coins.filter((coin) => this.#follower?.coins.includes(coin) === false));
    this.#follower.remove(this.#follower.coins.filter((coin) => !coins.includes(coin)));
  }

  #onEvent(event: FollowEvent): void {
    if (event.kind === 'connection') {
      this.#credits.onConnection(event.connection);
      return this.#noteChanges();
    }
    if (!('coin' in event) || this.#deps.main().coin === event.coin) return;
    const watch = this.#coins.get(event.coin);
    const live = this.#live(event.coin);
    if (watch === undefined) return;
    this.#noteChange(event.coin);
    if (live === undefined) return;
    if (event.kind === 'book') {
      this.#read(live);
      watch.watch(this.#wallets, live);
    } else if (event.kind === 'block') {
      watch.onBlock(live, event.batch.prevSeq, this.#eventsOf(live, event.batch));
    }
  }

  /** Reads the changes of each block from here on. */
  #read({ book, position }: BookAt): void {
    const history = new History(book.coin, READ_BOUNDS);
    const { blockTime: time, ...mark } = position;
    history.begin(book, { ...mark, time }, '');
    this.#histories.set(book.coin, history);
  }

  #eventsOf(live: BookAt, batch: CoinBatch): readonly FlowEvent[] | undefined {
    const block = this.#histories.get(batch.coin)?.add(batch);
    // After a block that could not be read, reading restarts from the current book.
    if (block === undefined) this.#read(live);
    return block?.events();
  }

  #viewOf(coin: string): CoinView | undefined {
    const main = this.#deps.main();
    return main.coin === coin ? main.view : this.#follower?.coin(coin);
  }

  #live(coin: string): BookAt | undefined {
    return bookAt(this.#viewOf(coin));
  }

  #noteChanges(): void {
    for (const coin of this.#coins.keys()) this.#noteChange(coin);
  }

  #noteChange(coin: string): void {
    if (!this.#coins.has(coin)) return;
    this.#changed.add(coin);
    this.#pace.want();
  }

  #tellChanged(): void {
    for (const coin of this.#changed) {
      const watch = this.#coins.get(coin);
      if (watch !== undefined) this.#deps.post(watch.places(this.#live(coin), this.#viewOf(coin)?.state ?? UNFOLLOWED));
    }
    this.#changed.clear();
  }
}
