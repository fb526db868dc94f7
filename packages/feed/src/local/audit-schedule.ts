export interface NextAudit {
  readonly coin: string;
  readonly at: number;
}

interface WatchedCoin {
  /** When its last audit began, or when the coin became live. */
  since: number;
  /** When it is to be audited ahead of its schedule; null if it is not. */
  soonAt: number | null;
  /** The part of the period that its audit takes; null before its first audit. */
  slotMs: number | null;
}

/** Schedules audits of one coin after the other, evenly, in at most their share of the upstream's time. */
export class AuditSchedule {
  readonly #everyMs: number;
  readonly #shareMax: number;
  readonly #coins = new Map<string, WatchedCoin>();
  #lastStart = 0;
  /** No regular audit starts before this time, so that the upstream can rest. */
  #restUntil = Number.NEGATIVE_INFINITY;

  /** `shareMax` is above 0 and at most 1. */
  constructor(everyMs: number, shareMax: number) {
    this.#everyMs = everyMs;
    this.#shareMax = shareMax;
  }

  /** Time in which every coin is audited once. */
  get periodMs(): number {
    const known = [...this.#coins.values()].flatMap(({ slotMs }) => (slotMs === null ? [] : [slotMs]));
    if (known.length === 0) return this.#everyMs;
    // A coin that was never audited is assumed to take the mean of the others.
    const sum = known.reduce((all, slotMs) => all + slotMs, 0) * (this.#coins.size / known.length);
    return Math.max(this.#everyMs, sum);
  }

  add(coin: string, now: number): void {
    if (this.#coins.size === 0) this.#lastStart = now;
    this.#coins.set(coin, { since: now, soonAt: null, slotMs: null });
  }

  remove(coin: string): void {
    this.#coins.delete(coin);
  }

  /** Schedules an audit of the coin at that time, ahead of its schedule. */
  hurry(coin: string, at: number): void {
    const watched = this.#coins.get(coin);
    if (watched !== undefined) watched.soonAt = Math.min(at, watched.soonAt ?? at);
  }

  started(coin: string, now: number): void {
    this.#lastStart = now;
    const watched = this.#coins.get(coin);
    if (watched === undefined) return;
    watched.since = now;
    watched.soonAt = null;
  }

  /** The coin's audit has ended, having taken the upstream this long. */
  ended(coin: string, now: number, upstreamMs: number): void {
    const slotMs = upstreamMs / this.#shareMax;
    this.#restUntil = now + slotMs - upstreamMs;
    const watched = this.#coins.get(coin);
    if (watched !== undefined) watched.slotMs = Math.max(slotMs, now - watched.since);
  }

  next(): NextAudit | null {
    let oldest: NextAudit | null = null;
    let soonest: NextAudit | null = null;
    for (const [coin, { since, soonAt }] of this.#coins) {
      if (oldest === null || since < oldest.at) oldest = { coin, at: since };
      if (soonAt !== null && (soonest === null || soonAt < soonest.at)) soonest = { coin, at: soonAt };
    }
    if (oldest === null) return null;
    const { periodMs } = this;
    const evenly = this.#lastStart + periodMs / this.#coins.size;
    const at = Math.max(this.#restUntil, Math.min(evenly, oldest.at + periodMs));
    return soonest !== null && soonest.at <= at ? soonest : { coin: oldest.coin, at };
  }
}
