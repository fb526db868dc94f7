import { LedgerError, type Meter, type Reservation } from '@l4desk/ledger';
import { CLOSE_CODES, L4_BOOK_UPDATES, RELAYED, TARIFF } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { Principal } from '../http/auth/principal.ts';
import { isRelayedKey } from './subscription-set.ts';

/** How long a paid credit lasts for one coin on one connection (D26). */
const MINUTE_MS = 60_000;

/** A connection, as seen by billing. `coin` is a coin or the key of a relayed subscription. */
export interface BilledConnection {
  readonly principal: Principal;
  follows(coin: string): boolean;
  /** A minute is charged only while the coin is live (BILL-22). An unavailable one may stay so. */
  stateOf(coin: string): 'live' | 'expected' | 'unavailable';
  close(code: number, reason: string): void;
}

export interface MinutesDeps {
  readonly meter: Meter;
  readonly clock: SystemClock;
  readonly log: Log;
}

/** Why a principal cannot pay even one minute; undefined if it could without the credits held by calls in flight. */
export async function minuteRefusal(meter: Meter, principal: Principal): Promise<LedgerError | undefined> {
  const held = await meter.reserve(principal, L4_BOOK_UPDATES, TARIFF.l4BookUpdatesPerCoinMinute);
  if (held instanceof LedgerError) return held.credits?.heldOnly === true ? undefined : held;
  held.release();
  return undefined;
}

/** The started minutes of a connection (D26): the first ones are charged at subscribe, the others in a tick of one second. */
export class Minutes {
  readonly #connection: BilledConnection;
  readonly #deps: MinutesDeps;
  /** End of the paid minute of each coin, subscribed or not (BILL-16), or when it became live without one. */
  readonly #endsAt = new Map<string, number>();
  /** Credits for the first minute of coins that are not live yet (BILL-30). */
  readonly #reserved = new Map<string, Reservation>();
  /** Coins whose next minute is being charged. */
  readonly #charging = new Set<string>();
  #isPaying = false;
  #isClosed = false;

  constructor(connection: BilledConnection, deps: MinutesDeps) {
    this.#connection = connection;
    this.#deps = deps;
  }

  /** Whether no paid minute is running or being paid. */
  get isIdle(): boolean {
    return this.#endsAt.size + this.#reserved.size === 0 && !this.#isPaying;
  }

  /** Returns the coins that have neither a paid minute nor a credit reserved for one. */
  unpaid(coins: readonly string[]): readonly string[] {
    return coins.filter((coin) => !this.#endsAt.has(coin) && !this.#reserved.has(coin));
  }

  /** Charges the first minute of live coins and reserves that of others, all or none; unavailable ones hold none. */
  async pay(coins: readonly string[]): Promise<LedgerError | undefined> {
    this.#isPaying = true;
    const live = coins.filter((coin) => this.#connection.stateOf(coin) === 'live');
    const others = coins.filter((coin) => !live.includes(coin));
    const isSplit = others.length > 0 && coins.length > 1;
    const tooMuch = isSplit ? await this.#wholeRefusal(coins) : undefined;
    const [held, ...waiting] =
      tooMuch !== undefined
        ? [tooMuch]
        : await Promise.all([
            live.length === 0 ? undefined : this.#reserve(live),
            ...others.map((coin) => this.#reserve([coin])),
          ]);
    const unreserved = [held, ...waiting].find((one) => one instanceof LedgerError);
    if (unreserved !== undefined && held !== undefined && !(held instanceof LedgerError)) held.release();
    const refusal = unreserved ?? (held && (await charge(held)));
    this.#isPaying = false;
    const now = this.#deps.clock.now();
    if (refusal === undefined) for (const coin of live) this.#endsAt.set(coin, now + MINUTE_MS);
    for (const [index, coin] of others.entries()) {
      const one = waiting[index];
      if (one === undefined || one instanceof LedgerError) continue;
      const isExpected = this.#connection.stateOf(coin) !== 'unavailable';
      if (refusal === undefined && isExpected && !this.#isClosed) this.#reserved.set(coin, one);
      else one.release();
    }
    return refusal;
  }

  /** Starts a minute of the coins that are followed, live and not paid for. The next tick charges it. */
  start(coins: readonly string[]): void {
    // The messages before may have been too many for it.
    if (this.#isClosed) return;
    const now = this.#deps.clock.now();
    for (const coin of coins) if (!this.#endsAt.has(coin) && this.#isBillable(coin)) this.#endsAt.set(coin, now);
  }

  /** Gives back the credits reserved for coins that are not followed any more, or that are unavailable. */
  giveBack(): void {
    for (const [coin, reservation] of this.#reserved) {
      const isWanted = this.#connection.follows(coin) && this.#connection.stateOf(coin) !== 'unavailable';
      if (isWanted || this.#charging.has(coin)) continue;
      this.#reserved.delete(coin);
      reservation.release();
    }
  }

  /** Charges the minutes that are due. Call it once per second. */
  tick(): void {
    const now = this.#deps.clock.now();
    const due: string[] = [];
    for (const [coin, endsAt] of this.#endsAt) {
      if (endsAt > now || this.#charging.has(coin)) continue;
      if (this.#isBillable(coin)) due.push(coin);
      else this.#endsAt.delete(coin);
    }
    if (due.length === 0) return;
    const open = due.filter((coin) => !this.#reserved.has(coin));
    // Relayed subscriptions have a separate operation in the ledger.
    for (const isRelayed of [false, true]) void this.#renew(open.filter((coin) => isRelayedKey(coin) === isRelayed));
    for (const coin of due) if (this.#reserved.has(coin)) void this.#renew([coin]);
  }

  close(): void {
    this.#isClosed = true;
    for (const reservation of this.#reserved.values()) reservation.release();
    this.#reserved.clear();
    this.#endsAt.clear();
  }

  #isBillable(coin: string): boolean {
    return this.#connection.follows(coin) && this.#connection.stateOf(coin) === 'live';
  }

  /** Charges the next minute of coins, which are all relayed or all not. What fails is retried at the next tick, for a minute. */
  async #renew(coins: readonly string[]): Promise<void> {
    const [first] = coins;
    if (first === undefined) return;
    const { clock, log } = this.#deps;
    for (const coin of coins) this.#charging.add(coin);
    const refusal = await charge(this.#reserved.get(first) ?? (await this.#reserve(coins)));
    if (this.#isClosed) return;
    const now = clock.now();
    const late = (coin: string) => now - (this.#endsAt.get(coin) ?? now) >= MINUTE_MS;
    const isLate = coins.some(late);
    for (const coin of coins) {
      this.#charging.delete(coin);
      this.#reserved.delete(coin);
      // A process that was suspended for minutes delivered nothing in that time, so those minutes are not charged.
      if (refusal === undefined)
        this.#endsAt.set(coin, (late(coin) ? now : (this.#endsAt.get(coin) ?? now)) + MINUTE_MS);
    }
    if (refusal === undefined) return;
    if (refusal.code === 'credits_exhausted' && (isLate || refusal.credits?.heldOnly !== true))
      this.#connection.close(CLOSE_CODES.creditsExhausted, 'credits exhausted');
    else if (isLate) this.#connection.close(CLOSE_CODES.internalError, 'credits cannot be charged');
    else log.warn({ coins: coins.length, error: refusal.code }, 'stream minutes not charged, retrying');
  }

  /** Why all of these coins together cannot be paid. It counts none of them as a call in flight, as separate ones would. */
  async #wholeRefusal(coins: readonly string[]): Promise<LedgerError | undefined> {
    const whole = await this.#reserve(coins);
    if (whole instanceof LedgerError) return whole;
    whole.release();
    return undefined;
  }

  async #reserve(coins: readonly string[]): Promise<Reservation | LedgerError> {
    const { meter } = this.#deps;
    const { principal } = this.#connection;
    return coins.some(isRelayedKey)
      ? meter.reserve(principal, RELAYED, coins.length * TARIFF.relayedPerMinute)
      : meter.reserve(principal, L4_BOOK_UPDATES, coins.length * TARIFF.l4BookUpdatesPerCoinMinute);
  }
}

async function charge(held: Reservation | LedgerError): Promise<LedgerError | undefined> {
  if (held instanceof LedgerError) return held;
  try {
    await held.charge();
    return undefined;
  } catch (error) {
    return error instanceof LedgerError
      ? error
      : new LedgerError('ledger_unavailable', 'The charge failed.', { cause: error });
  }
}
