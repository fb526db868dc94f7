import { CLOSE_CODES, L4_BOOK_UPDATES, TARIFF } from '@l4desk/protocol';
import type { Meter } from '../credits/meter.ts';
import { ServiceError, toServiceError } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Log } from '../upstream/l4/api.ts';
import type { Clock } from '../upstream/l4/clock.ts';
import { DueQueue } from './due-queue.ts';

/** What a paid credit lasts for, a coin on a connection (D26). */
const MINUTE_MS = 60_000;

/** How often there is a round at most: what falls due together is charged together. */
const ROUND_EVERY_MS = 25;

/** How soon minutes that could not be charged, for the database or for credits that calls hold, are tried again. */
const RETRY_MS = 1_000;

/** One connection as it is billed. */
export interface Payer {
  readonly principal: Principal;
  /** Whether it still has a subscription that names the coin. */
  follows(coin: string): boolean;
  close(code: number, reason: string): void;
}

interface MinutesDeps {
  readonly meter: Meter;
  readonly clock: Clock;
  readonly log: Log;
}

/** Coins of a connection whose paid minute ends at the same time. */
interface Due {
  readonly tab: Tab;
  readonly coins: readonly string[];
  readonly endsAt: number;
}

/**
 * Charges the started minutes of all connections (D26): one queue and one timer for all of them, in the order in which
 * minutes end, and whatever ends together is charged together.
 */
export class Minutes {
  readonly #deps: MinutesDeps;
  readonly #queue = new DueQueue<Due>();
  #roundAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isClosed = false;
  readonly #beginOf = (tab: Tab, coins: readonly string[]) => this.#begin(tab, coins);

  constructor(deps: MinutesDeps) {
    this.#deps = deps;
  }

  /** The tab of a new connection. */
  open(payer: Payer): Tab {
    return new Tab(payer, this.#beginOf);
  }

  /**
   * Why a principal cannot pay for even one minute; undefined while it can, or could but for what calls under way hold.
   * 402 `credits_exhausted`, or 503 when the database does not answer.
   */
  async refusal(principal: Principal): Promise<ServiceError | undefined> {
    const held = await this.#deps.meter.reserve(principal, L4_BOOK_UPDATES, TARIFF.l4BookUpdatesPerCoinMinute);
    if (held instanceof ServiceError) return held.credits?.heldOnly === true ? undefined : held;
    held.release();
    return undefined;
  }

  /** Ends the rounds; minutes that have begun are charged already. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Charges first minutes; the answer is the refusal, and nothing is charged then. */
  async #begin(tab: Tab, coins: readonly string[]): Promise<ServiceError | undefined> {
    const refusal = await this.#charge(tab, coins);
    if (refusal === undefined) this.#paid({ tab, coins, endsAt: this.#deps.clock.now() + MINUTE_MS });
    return refusal;
  }

  async #charge({ payer }: Tab, coins: readonly string[]): Promise<ServiceError | undefined> {
    const credits = coins.length * TARIFF.l4BookUpdatesPerCoinMinute;
    const held = await this.#deps.meter.reserve(payer.principal, L4_BOOK_UPDATES, credits);
    if (held instanceof ServiceError) return held;
    try {
      await held.charge();
      return undefined;
    } catch (error) {
      return toServiceError(error);
    }
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
    for (const due of this.#queue.take(this.#roundAt)) if (!due.tab.isClosed) void this.#renew(due);
    this.#arm();
  }

  /** Begins the next minute of the coins that are still followed; the others' time is over. */
  async #renew({ tab, coins, endsAt }: Due): Promise<void> {
    const { clock, log } = this.#deps;
    const [followed, left] = [new Array<string>(), new Array<string>()];
    for (const coin of coins) (tab.payer.follows(coin) ? followed : left).push(coin);
    tab.end(left);
    if (followed.length === 0) return;
    const refusal = await this.#charge(tab, followed);
    if (tab.isClosed) return;
    const now = clock.now();
    const isLate = now - endsAt >= MINUTE_MS;
    if (refusal === undefined) {
      // A process that stood still for minutes has delivered nothing in them, and they are not charged afterwards.
      this.#paid({ tab, coins: followed, endsAt: (isLate ? now : endsAt) + MINUTE_MS });
    } else if (refusal.code === 'credits_exhausted' && (isLate || refusal.credits?.heldOnly !== true)) {
      tab.payer.close(CLOSE_CODES.creditsExhausted, 'credits exhausted');
    } else if (isLate) {
      tab.payer.close(CLOSE_CODES.internalError, 'credits cannot be charged');
    } else {
      log.warn({ coins: followed.length, error: refusal.code }, 'minutes of a stream are to be charged again');
      this.#queue.add(now + RETRY_MS, { tab, coins: followed, endsAt });
      this.#arm();
    }
  }
}

/** What one connection has paid for. */
export class Tab {
  readonly payer: Payer;
  readonly #begin: (tab: Tab, coins: readonly string[]) => Promise<ServiceError | undefined>;
  /** Coins within a paid minute, subscribed or not (BILL-16), and those whose next one is being charged. */
  readonly #running = new Set<string>();
  #isPaying = false;
  isClosed = false;

  constructor(payer: Payer, begin: (tab: Tab, coins: readonly string[]) => Promise<ServiceError | undefined>) {
    this.payer = payer;
    this.#begin = begin;
  }

  /** Whether no paid minute is running or being paid. */
  get isIdle(): boolean {
    return this.#running.size === 0 && !this.#isPaying;
  }

  /** Which of the coins would have to be paid for. */
  unpaid(coins: readonly string[]): readonly string[] {
    return coins.filter((coin) => !this.#running.has(coin));
  }

  /** Charges the first minute of coins that `unpaid` named, all or none; durable when it resolves without a refusal. */
  async pay(coins: readonly string[]): Promise<ServiceError | undefined> {
    this.#isPaying = true;
    const refusal = await this.#begin(this, coins);
    this.#isPaying = false;
    if (refusal === undefined) for (const coin of coins) this.#running.add(coin);
    return refusal;
  }

  /** Coins whose time is over. */
  end(coins: readonly string[]): void {
    for (const coin of coins) this.#running.delete(coin);
  }

  /** The connection has gone. */
  close(): void {
    this.isClosed = true;
    this.#running.clear();
  }
}
