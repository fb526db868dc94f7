import { FEED_SILENT_MS } from '@l4desk/feed/core';
import type { SystemClock } from '@l4desk/runtime/node';
import type { ClusterMessage, LeaderHealth, LeaderStatus } from './frame.ts';

/** How often to check whether the leader still reports. */
const LOOK_MS = 500;

interface LeaderWatchEvents {
  /** The state of one of the leader's books changed. */
  readonly status: (coin: string, status: LeaderStatus) => void;
  /** The leader fell silent, or reports again. */
  readonly silence: () => void;
}

/** A gateway's knowledge of the leading sequencer: its last reports about itself and its books, and when they arrived. */
export class LeaderWatch {
  readonly #clock: SystemClock;
  readonly #events: LeaderWatchEvents;
  /** Includes coins without a holder here. */
  readonly #statuses = new Map<string, LeaderStatus>();
  readonly #timer: NodeJS.Timeout;
  #health: LeaderHealth | null = null;
  #heardAt: number | null = null;
  #isSilent = false;

  constructor(clock: SystemClock, events: LeaderWatchEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** The leader's last health report; null before the first. */
  get health(): LeaderHealth | null {
    return this.#health;
  }

  /** Why the leader is not heard; null while it is. */
  get problem(): string | null {
    if (this.#heardAt === null) return 'no sequencer was heard yet';
    return this.#isSilent ? 'the sequencer is silent' : null;
  }

  /** Time since the upstream's last sign of life, in ms; it keeps growing while the leader is silent. Null if unknown. */
  get upstreamAgeMs(): number | null {
    const age = this.#health?.upstreamAgeMs ?? null;
    if (age === null || this.#heardAt === null) return null;
    return Math.max(0, Math.round(age + this.#clock.now() - this.#heardAt));
  }

  /** The leader's last report on its book of a coin; null if there is none. */
  of(coin: string): LeaderStatus | null {
    return this.#statuses.get(coin) ?? null;
  }

  /** Any message of the leader arrived. */
  heard(): void {
    const wasAway = this.problem !== null;
    this.#heardAt = this.#clock.now();
    this.#isSilent = false;
    if (wasAway) this.#events.silence();
  }

  onHealth({ health, statuses }: Extract<ClusterMessage, { kind: 'health' }>): void {
    this.#health = health;
    for (const [coin, status] of Object.entries(statuses)) this.onStatus(coin, status);
  }

  onStatus(coin: string, status: LeaderStatus): void {
    const before = this.#statuses.get(coin);
    this.#statuses.set(coin, status);
    const { state, reason, generation } = status;
    if (before?.state === state && before.reason === reason && before.generation === generation) return;
    this.#events.status(coin, status);
  }

  /** Another leader took over: the reports of the previous one are void. */
  forget(): void {
    this.#health = null;
    this.#statuses.clear();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const isSilent = this.#heardAt !== null && this.#clock.now() - this.#heardAt > FEED_SILENT_MS;
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    this.#events.silence();
  }
}
