import { FEED_SILENT_MS, type FeedHealth } from '../api.ts';
import type { Clock } from '../clock.ts';
import type { ClusterMessage, LeaderStatus } from './frame.ts';

/** How often a look is taken at whether the leader still reports. */
const LOOK_MS = 500;

interface LeaderWatchEvents {
  /** A book of the leader is not as it was. */
  readonly status: (coin: string, status: LeaderStatus) => void;
  /** The leader fell silent, or is heard again. */
  readonly silence: () => void;
}

/** What a gateway knows of the leading sequencer: what it said last of itself and of its books, and when. */
export class LeaderWatch {
  readonly #clock: Clock;
  readonly #events: LeaderWatchEvents;
  /** Of coins that nobody holds here too. */
  readonly #statuses = new Map<string, LeaderStatus>();
  readonly #timer: NodeJS.Timeout;
  #health: FeedHealth | null = null;
  #heardAt: number | null = null;
  #isSilent = false;

  constructor(clock: Clock, events: LeaderWatchEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** How it last said that its feed is; null while it has not. */
  get health(): FeedHealth | null {
    return this.#health;
  }

  /** Why it is not heard; null while it is. */
  get problem(): string | null {
    if (this.#heardAt === null) return 'no sequencer was heard yet';
    return this.#isSilent ? 'the sequencer is silent' : null;
  }

  /** How long ago the upstream last gave a sign of life: that time passes on while the leader is silent. */
  get upstreamAgeMs(): number | null {
    const age = this.#health?.upstreamAgeMs ?? null;
    if (age === null || this.#heardAt === null) return null;
    return Math.max(0, Math.round(age + this.#clock.now() - this.#heardAt));
  }

  /** How it last said that its book of a coin is. */
  of(coin: string): LeaderStatus | null {
    return this.#statuses.get(coin) ?? null;
  }

  /** It said anything at all. */
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

  /** Another one leads: what the last one said is void. */
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
