import type { Clock, Log } from '@l4desk/feed';
import type { Meter, Reservation } from '@l4desk/ledger';
import { ApiError, CLOSE_CODES, L4_BOOK_UPDATES, RELAYED, TARIFF } from '@l4desk/protocol';
import type { Principal } from '../http/auth/principal.ts';
import { toApiError } from '../http/errors.ts';
import { DueQueue } from './due-queue.ts';
import { isRelayedKey } from './subscription-set.ts';

/** How long a paid credit lasts for one coin on one connection (D26). */
const MINUTE_MS = 60_000;

/** Minimum time between rounds. Minutes that fall due together are charged together. */
const ROUND_EVERY_MS = 25;

/** Retry delay for minutes that could not be charged, because of the database or because calls in flight hold the credits. */
const RETRY_MS = 1_000;

/** A connection, as seen by billing. */
export interface BilledConnection {
  readonly principal: Principal;
  /** Whether a subscription still names the coin. */
  follows(coin: string): boolean;
  /** Whether the coin's book is live. A minute is charged only then (BILL-22). */
  isLive(coin: string): boolean;
  close(code: number, reason: string): void;
}

interface MinutesDeps {
  readonly meter: Meter;
  readonly clock: Clock;
  readonly log: Log;
}

/** Coins of a connection whose paid minutes end at the same time, or that became live and have no paid minute yet. */
interface Due {
  readonly tab: Tab;
  readonly coins: readonly string[];
  readonly endsAt: number;
}

/** Callbacks of a tab. */
interface TabDeps {
  /** Charges the first minutes of live coins, if there are also enough credits for the waiting ones. */
  readonly begin: (tab: Tab, live: readonly string[], waiting: readonly string[]) => Promise<ApiError | undefined>;
  /** Charges the next minute of coins in the next round. The list may grow until `taken` is called on the tab. */
  readonly start: (tab: Tab, coins: readonly string[]) => void;
}

/**
 * Charges the started minutes of all connections (D26). One queue and one timer serve all of them, in the order in which
 * minutes end. Minutes that end together are charged together.
 */
export class Minutes {
  readonly #deps: MinutesDeps;
  readonly #queue = new DueQueue<Due>();
  #roundAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isClosed = false;
  readonly #tabDeps: TabDeps = {
    begin: (tab, live, waiting) => this.#begin(tab, live, waiting),
    start: (tab, coins) => {
      const now = this.#deps.clock.now();
      this.#queue.add(now, { tab, coins, endsAt: now });
      this.#arm();
    },
  };

  constructor(deps: MinutesDeps) {
    this.#deps = deps;
  }

  /** Opens the tab of a new connection. */
  open(connection: BilledConnection): Tab {
    return new Tab(connection, this.#tabDeps);
  }

  /**
   * Why a principal cannot pay even one minute; undefined if it can, or could without the credits held by calls in flight.
   * 402 `credits_exhausted`, or 503 if the database is unreachable.
   */
  async refusal(principal: Principal): Promise<ApiError | undefined> {
    const held = await this.#reserve(principal, 1, false);
    if (held instanceof ApiError) return held.credits?.heldOnly === true ? undefined : held;
    held.release();
    return undefined;
  }

  /** Stops the rounds. Started minutes are already charged. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Charges the first minutes of the live coins. Resolves with the refusal if nothing was charged. */
  async #begin(tab: Tab, live: readonly string[], waiting: readonly string[]): Promise<ApiError | undefined> {
    const { principal } = tab.connection;
    const isRelayed = [...live, ...waiting].some(isRelayedKey);
    // Waiting coins are charged once they are live, but without credits for them the subscription is refused (BILL-14).
    const all = await this.#reserve(principal, live.length + waiting.length, isRelayed);
    if (all instanceof ApiError) return all;
    if (waiting.length > 0) all.release();
    if (live.length === 0) return undefined;
    const refusal = await charge(waiting.length === 0 ? all : await this.#reserve(principal, live.length, isRelayed));
    if (refusal === undefined) this.#paid({ tab, coins: live, endsAt: this.#deps.clock.now() + MINUTE_MS });
    return refusal;
  }

  async #reserve(principal: Principal, minutes: number, isRelayed: boolean): Promise<Reservation | ApiError> {
    if (isRelayed) return this.#deps.meter.reserve(principal, RELAYED, minutes * TARIFF.relayedPerMinute);
    return this.#deps.meter.reserve(principal, L4_BOOK_UPDATES, minutes * TARIFF.l4BookUpdatesPerCoinMinute);
  }

  #paid(due: Due): void {
    this.#queue.add(due.endsAt, due);
    this.#arm();
  }

  #arm(): void {
    const { clock } = this.#deps;
    const next = this.#queue.nextAt;
    this.#cancel?.();
    this.#cancel = undefined;
    if (next === undefined || this.#isClosed) return;
    const waitMs = Math.max(next, this.#roundAt + ROUND_EVERY_MS) - clock.now();
    this.#cancel = clock.after(Math.max(0, waitMs), () => {
      this.#cancel = undefined;
      this.#round();
    });
  }

  #round(): void {
    this.#roundAt = this.#deps.clock.now();
    for (const { tab, coins, endsAt } of this.#queue.take(this.#roundAt)) {
      if (tab.isClosed) continue;
      tab.taken(coins);
      // Relayed subscriptions have a separate operation in the ledger.
      for (const isRelayed of [false, true]) {
        const same = coins.filter((coin) => isRelayedKey(coin) === isRelayed);
        if (same.length > 0) void this.#renew({ tab, coins: same, endsAt }, isRelayed);
      }
    }
    this.#arm();
  }

  /** Starts the next minute of the coins that are still followed and live. Ends the others. */
  async #renew({ tab, coins, endsAt }: Due, isRelayed: boolean): Promise<void> {
    const { clock, log } = this.#deps;
    const { connection } = tab;
    const [followed, left] = [new Array<string>(), new Array<string>()];
    for (const coin of coins) (connection.follows(coin) && connection.isLive(coin) ? followed : left).push(coin);
    tab.end(left);
    if (followed.length === 0) return;
    const refusal = await charge(await this.#reserve(connection.principal, followed.length, isRelayed));
    if (tab.isClosed) return;
    const now = clock.now();
    const isLate = now - endsAt >= MINUTE_MS;
    if (refusal === undefined) {
      // A process that was suspended for minutes delivered nothing in that time, so those minutes are not charged.
      this.#paid({ tab, coins: followed, endsAt: (isLate ? now : endsAt) + MINUTE_MS });
    } else if (refusal.code === 'credits_exhausted' && (isLate || refusal.credits?.heldOnly !== true)) {
      connection.close(CLOSE_CODES.creditsExhausted, 'credits exhausted');
    } else if (isLate) {
      connection.close(CLOSE_CODES.internalError, 'credits cannot be charged');
    } else {
      log.warn({ coins: followed.length, error: refusal.code }, 'stream minutes not charged, retrying');
      this.#queue.add(now + RETRY_MS, { tab, coins: followed, endsAt });
      this.#arm();
    }
  }
}

async function charge(held: Reservation | ApiError): Promise<ApiError | undefined> {
  if (held instanceof ApiError) return held;
  try {
    await held.charge();
    return undefined;
  } catch (error) {
    return toApiError(error);
  }
}

/** The paid minutes of one connection. */
export class Tab {
  readonly connection: BilledConnection;
  readonly #deps: TabDeps;
  /** Coins with a running paid minute, subscribed or not (BILL-16), and coins whose next minute is being charged. */
  readonly #running = new Set<string>();
  /** Coins that became live and are waiting to be charged together. */
  #starting: string[] | null = null;
  #isPaying = false;
  isClosed = false;

  constructor(connection: BilledConnection, deps: TabDeps) {
    this.connection = connection;
    this.#deps = deps;
  }

  /** Whether no paid minute is running or being paid. */
  get isIdle(): boolean {
    return this.#running.size === 0 && !this.#isPaying;
  }

  /** Returns the coins that have no running paid minute. */
  unpaid(coins: readonly string[]): readonly string[] {
    return coins.filter((coin) => !this.#running.has(coin));
  }

  /**
   * Charges the first minute of the live coins, all or none. The charge is durable when it resolves without a refusal. The
   * other coins, which also need enough credits, are charged once `start` finds them live (BILL-22).
   */
  async pay(coins: readonly string[]): Promise<ApiError | undefined> {
    const live = coins.filter((coin) => this.connection.isLive(coin));
    const waiting = coins.filter((coin) => !live.includes(coin));
    this.#isPaying = true;
    const refusal = await this.#deps.begin(this, live, waiting);
    this.#isPaying = false;
    if (refusal === undefined) for (const coin of live) this.#running.add(coin);
    return refusal;
  }

  /** Starts a minute of the coins that are followed, live and not paid for. */
  start(coins: readonly string[]): void {
    const fresh = this.unpaid(coins).filter((coin) => this.connection.follows(coin) && this.connection.isLive(coin));
    if (fresh.length === 0 || this.isClosed) return;
    for (const coin of fresh) this.#running.add(coin);
    if (this.#starting !== null) {
      this.#starting.push(...fresh);
      return;
    }
    this.#starting = fresh;
    this.#deps.start(this, fresh);
  }

  /** Called when these coins are being charged. Coins that become live from now on are collected anew. */
  taken(coins: readonly string[]): void {
    if (this.#starting === coins) this.#starting = null;
  }

  /** Removes coins whose paid minute is over. */
  end(coins: readonly string[]): void {
    for (const coin of coins) this.#running.delete(coin);
  }

  /** Called when the connection has closed. */
  close(): void {
    this.isClosed = true;
    this.#running.clear();
  }
}
