import type { CoinView, FollowEvent, Follower } from '@l4desk/client';
import { type BookAt, bookAt } from './book-at.ts';

export interface FollowedCoinDeps {
  /** Starts following; events go to `onEvent`. */
  readonly follow: (coin: string, onEvent: (event: FollowEvent) => void) => Follower;
  /** Whether a recording is shown in place of the live book: the paid stream would not be seen. */
  isReplaced(): boolean;
  onEvent(event: FollowEvent): void;
  onStarted(): void;
  /** The coin is no longer followed, because a recording is shown in its place. */
  onRested(): void;
}

/**
 * The chosen coin and the connection over which it is followed: one for all coins that are chosen one after another, and a new one
 * once it has stopped, because a stopped follower cannot be restarted.
 */
export class FollowedCoin {
  readonly #deps: FollowedCoinDeps;
  #coin = '';
  #follower: Follower | undefined;
  #starts = 0;

  constructor(deps: FollowedCoinDeps) {
    this.#deps = deps;
  }

  get coin(): string {
    return this.#coin;
  }

  get follower(): Follower | undefined {
    return this.#follower;
  }

  get view(): CoinView | undefined {
    return this.#follower?.coin(this.#coin);
  }

  get live(): BookAt | undefined {
    return bookAt(this.view);
  }

  /** Chooses a coin. Nothing changes at the connection until `follow`. */
  choose(coin: string): void {
    this.#coin = coin;
  }

  /** Follows the chosen coin and no other one; not even this one while a recording is shown in its place. */
  follow(): void {
    const follower = this.#follower;
    const isFollowed = follower?.coins.includes(this.#coin) === true;
    if (!this.#deps.isReplaced()) {
      if (follower === undefined || follower.connection.kind === 'stopped') this.start();
      else if (!isFollowed) follower.add([this.#coin]);
    } else if (follower === undefined) this.start();
    else if (isFollowed) {
      follower.remove([this.#coin]);
      this.#deps.onRested();
    }
    const others = this.#follower?.coins.filter((coin) => coin !== this.#coin) ?? [];
    if (others.length > 0) this.#follower?.remove(others);
  }

  start(): void {
    this.#starts += 1;
    const start = this.#starts;
    const before = this.#follower;
    this.#follower = this.#deps.follow(this.#coin, (event) => {
      // Events of a replaced follower are ignored.
      if (start === this.#starts && this.#concerns(event)) this.#deps.onEvent(event);
    });
    before?.close();
    if (this.#deps.isReplaced()) this.#follower.remove([this.#coin]);
    this.#deps.onStarted();
  }

  /** Stops following for now; `start` follows again. */
  stop(): void {
    this.#follower?.close();
  }

  /** Whether an event is about the connection or the chosen coin: coins that were left may still have some. */
  #concerns(event: FollowEvent): boolean {
    if (event.kind === 'connection' || event.kind === 'upstream') return true;
    return event.kind === 'refused' ? event.coins.includes(this.#coin) : event.coin === this.#coin;
  }
}
