import type { FollowEvent, Follower } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import type { FoundOrder } from '../messages.ts';
import { CreditWatch, type CreditWatchDeps } from '../worker/credit-watch.ts';
import { findOrder } from '../worker/find-order.ts';
import type { WatchDeps } from '../worker/source-watch.ts';
import { CoinWatch } from './coin-watch.ts';
import type { FromRadar, ToRadar } from './messages.ts';

/** Time between two reports; a coin's figures are computed at most this often. */
const REPORT_MS = 500;

/** One readiness response is shared by all coins that ask within this time. */
const READINESS_MS = 1_500;

export interface RadarDeps extends WatchDeps, CreditWatchDeps {
  follow(coins: readonly string[], onEvent: (event: FollowEvent) => void): Follower;
  post(message: FromRadar): void;
}

/**
 * The radar's side in the worker: follows any number of coins over one connection, keeps the exact book of each, and reports a
 * few figures of all of them twice a second.
 *
 * Loop "report": runs while coins are followed; nothing is computed or reported while the page is hidden.
 */
export class RadarModel {
  readonly #deps: RadarDeps;
  readonly #credits: CreditWatch;
  #follower: Follower | undefined;
  #coins: readonly CoinWatch[] = [];
  #wallets: readonly Address[] = [];
  #isVisible = true;
  #isReporting = false;
  #readiness: { readonly at: number; readonly response: Promise<unknown> } | undefined;

  constructor(deps: RadarDeps) {
    this.#deps = deps;
    this.#credits = new CreditWatch(deps, {
      onShortage: () => {
        // Its reconnection attempts would be refused until there are credits.
        this.#follower?.close();
        this.#report();
      },
      onReturn: () => this.#start(),
    });
  }

  receive(message: ToRadar): void {
    switch (message.kind) {
      case 'follow':
        return this.#follow(message.coins);
      case 'wallets':
        this.#wallets = message.wallets;
        for (const coin of this.#coins) coin.changed();
        return;
      case 'look':
        this.#isVisible = message.isVisible;
        return this.#report();
      case 'find':
        return this.#deps.post({ kind: 'found', serial: message.serial, order: this.#find(message.order) });
    }
  }

  #follow(coins: readonly string[]): void {
    const before = this.#coins.map(({ coin }) => coin);
    const added = coins.filter((coin) => !before.includes(coin));
    const known = new Map(this.#coins.map((watch) => [watch.coin, watch]));
    this.#coins = coins.map((coin) => known.get(coin) ?? new CoinWatch(coin, this.#watchDeps()));
    if (coins.length === 0) {
      this.#follower?.close();
      this.#follower = undefined;
      return;
    }
    if (this.#follower === undefined || this.#follower.connection.kind === 'stopped') {
      this.#start();
    } else {
      if (added.length > 0) this.#follower.add(added);
      const gone = before.filter((coin) => !coins.includes(coin));
      if (gone.length > 0) this.#follower.remove(gone);
    }
    this.#report();
    this.#tick();
  }

  /** Follows all coins over a new connection: a stopped follower cannot be restarted. */
  #start(): void {
    const before = this.#follower;
    this.#follower = undefined;
    before?.close();
    const coins = this.#coins.map(({ coin }) => coin);
    if (coins.length > 0) this.#follower = this.#deps.follow(coins, (event) => this.#onEvent(event));
  }

  #find(wanted: number | string): FoundOrder | null {
    for (const { coin } of this.#coins) {
      const book = this.#follower?.coin(coin)?.book;
      const found = book === undefined ? null : findOrder(book, wanted);
      if (found !== null) return found;
    }
    return null;
  }

  #onEvent(event: FollowEvent): void {
    const now = this.#deps.now();
    if (event.kind === 'connection') {
      this.#credits.onConnection(event.connection);
      for (const coin of this.#coins) {
        coin.source.forget();
        if (event.connection.kind !== 'open') coin.timing.disconnected();
      }
      return;
    }
    if (event.kind === 'upstream') {
      for (const { timing } of this.#coins) timing.onUpstream(event.upstream, now, this.#follower?.roundTripMs);
      return;
    }
    if (event.kind === 'refused') return;
    const watch = this.#coins.find(({ coin }) => coin === event.coin);
    switch (event.kind) {
      case 'book':
        return watch?.onBook(now);
      case 'block':
        return watch?.onBlock(event.batch, now);
      case 'state':
        return watch?.source.forget();
      case 'bookStatus':
        if (this.#follower !== undefined) watch?.source.onStatus(this.#follower, event.status);
        return;
      default:
    }
  }

  #tick(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.#deps.later(() => {
      this.#isReporting = false;
      if (this.#follower === undefined) return;
      this.#report();
      this.#tick();
    }, REPORT_MS);
  }

  #report(): void {
    const follower = this.#follower;
    if (follower === undefined || !this.#isVisible) return;
    for (const { coin, source } of this.#coins) source.look(follower, coin);
    const now = this.#deps.now();
    const tiles = this.#coins.flatMap((coin) => coin.tile(follower, this.#wallets, now, this.#credits.shortage) ?? []);
    this.#deps.post({ kind: 'tiles', tiles });
  }

  /** Coins share one readiness request about their sources. */
  #watchDeps(): WatchDeps {
    const deps = this.#deps;
    return {
      now: deps.now,
      later: deps.later,
      readiness: () => {
        const known = this.#readiness;
        if (known !== undefined && deps.now() - known.at < READINESS_MS) return known.response;
        const response = deps.readiness();
        this.#readiness = { at: deps.now(), response };
        return response;
      },
    };
  }
}
