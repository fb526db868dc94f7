import { FEED_SILENT_MS } from '@l4desk/feed/core';
import type { BookLossReason } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { ClusterMessage, LeaderHealth, LeaderStatus } from './frame.ts';
import { type ClusterSettings, NatsLink, type NatsSession } from './nats-link.ts';
import { fetchSnapshot, type LeaderSnapshot } from './snapshot-exchange.ts';
import { StreamReader } from './stream-reader.ts';
import { TermReader } from './term-reader.ts';

/** How often to check whether the leader still reports. */
const SILENCE_CHECK_MS = 500;

interface LeaderStreamEvents {
  readonly message: (message: ClusterMessage) => void;
  /** Another leader, or the first one: nothing continues from before. */
  readonly term: () => void;
  /** Messages were missed, and why. `isOver`: the current term is unknown, too. */
  readonly missed: (detail: string, isOver: boolean) => void;
  /** The leader's report on a coin's book changed. */
  readonly status: (coin: string, status: LeaderStatus) => void;
  /** NATS is connected; messages missed meanwhile are being read. */
  readonly up: () => void;
  readonly down: () => void;
  readonly changed: () => void;
}

/** The leading sequencer's messages as a gateway reads them from the stream, and whether they may be outdated. */
export class LeaderStream {
  readonly #clock: SystemClock;
  readonly #log: Log;
  readonly #events: LeaderStreamEvents;
  readonly #link: NatsLink;
  readonly #reader: StreamReader;
  readonly #terms: TermReader;
  /** The leader's last report on each book, including coins without a holder here. */
  readonly #statuses = new Map<string, LeaderStatus>();
  /** The leader's last report on itself; null before the first. */
  #health: LeaderHealth | null = null;
  /** When the leader was last heard, and whether that is too long ago. */
  #receivedAt: number | null = null;
  #isSilent = false;
  #silenceTimer: NodeJS.Timeout | undefined;
  /** Whether everything that the stream contained at the last connect has been read. */
  #isCaughtUp = false;
  /** Whether the log says that the leader is silent, and not yet that it is heard again. */
  #isSilenceLogged = false;
  #catchUpEnd = new AbortController();

  constructor(settings: ClusterSettings, clock: SystemClock, log: Log, events: LeaderStreamEvents) {
    this.#clock = clock;
    this.#log = log;
    this.#events = events;
    this.#terms = new TermReader({
      message: (message) => this.#onMessage(message),
      term: (isFirst) => {
        if (!isFirst) log.warn({ term: this.term }, 'another sequencer leads');
        this.#health = null;
        this.#statuses.clear();
        events.term();
      },
      missed: (detail, isOver) => {
        log.warn({ detail }, 'messages of the stream were missed');
        events.missed(detail, isOver);
      },
    });
    this.#reader = new StreamReader(log, {
      frame: (frame) => this.#terms.take(frame),
      restarted: () => this.#terms.restart(),
    });
    this.#link = new NatsLink(settings, 'gateway', log, {
      up: (session) => this.#onUp(session),
      down: () => this.#onDown(),
    });
  }

  start(): void {
    this.#link.start();
    this.#silenceTimer = setInterval(() => this.#checkSilence(), SILENCE_CHECK_MS);
  }

  get health(): LeaderHealth | null {
    return this.#health;
  }

  /** The leader's last report on its book of a coin; null if there is none. */
  statusOf(coin: string): LeaderStatus | null {
    return this.#statuses.get(coin) ?? null;
  }

  /** Time since the upstream's last sign of life, in ms; it keeps growing while the leader is silent. Null if unknown. */
  get upstreamAgeMs(): number | null {
    const age = this.#health?.upstreamAgeMs ?? null;
    if (age === null || this.#receivedAt === null) return null;
    return Math.max(0, Math.round(age + this.#clock.now() - this.#receivedAt));
  }

  get session(): NatsSession | null {
    return this.#link.session;
  }

  /** UUID of the current term; null while there is none. */
  get term(): string | null {
    return this.#terms.term;
  }

  /** Stream sequence of the last message read; null before the first. */
  get last(): number | null {
    return this.#reader.last;
  }

  get problem(): string | null {
    const nats = this.#link.problem;
    if (nats !== null) return `NATS: ${nats}`;
    return this.#leaderProblem ?? (this.#isCaughtUp ? null : 'the stream is being read');
  }

  /** Why the leader is not heard; null while it is. */
  get #leaderProblem(): string | null {
    if (this.#receivedAt === null) return 'no sequencer was heard yet';
    return this.#isSilent ? 'the sequencer is silent' : null;
  }

  /** `problem` as the reason for which books are lost; null without one. */
  get cutOffReason(): BookLossReason | null {
    if (this.problem === null) return null;
    return this.#link.problem === null ? 'feed-silent' : 'disconnected';
  }

  /** Counters and problems for `health`. */
  get report() {
    const { terms, gaps } = this.#terms;
    return { natsProblem: this.#link.problem, leaderProblem: this.#leaderProblem, terms, gaps };
  }

  /** Resolves when everything that the stream contains now has been read. Rejects if the signal aborts before. */
  caughtUp(signal: AbortSignal): Promise<void> {
    return this.#reader.caughtUp(signal);
  }

  /** Fetches a coin's book from the leader. */
  async snapshot(coin: string, signal: AbortSignal): Promise<LeaderSnapshot> {
    const { session, term } = this;
    if (session === null || term === null) throw new Error('NATS is not connected');
    return fetchSnapshot(session, term, coin, signal);
  }

  stop(): void {
    this.#catchUpEnd.abort();
    clearInterval(this.#silenceTimer);
    this.#reader.close();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#link.close();
  }

  #onMessage(message: ClusterMessage): void {
    const wasHeard = this.#leaderProblem === null;
    this.#receivedAt = this.#clock.now();
    this.#isSilent = false;
    if (!wasHeard) this.#onHearingChanged();
    if (message.kind === 'status') this.#onStatus(message.coin, message.status);
    else if (message.kind === 'health') {
      this.#health = message.health;
      for (const [coin, status] of Object.entries(message.statuses)) this.#onStatus(coin, status);
    }
    this.#events.message(message);
  }

  #onStatus(coin: string, status: LeaderStatus): void {
    const before = this.#statuses.get(coin);
    this.#statuses.set(coin, status);
    const { state, reason, generation } = status;
    if (before?.state === state && before.reason === reason && before.generation === generation) return;
    this.#events.status(coin, status);
  }

  #checkSilence(): void {
    const isSilent = this.#receivedAt !== null && this.#clock.now() - this.#receivedAt > FEED_SILENT_MS;
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    this.#onHearingChanged();
  }

  /** The leader fell silent, or reports again. */
  #onHearingChanged(): void {
    const problem = this.#leaderProblem;
    if (problem !== null) this.#log.warn({ problem }, 'gateway cut off');
    else if (this.#isSilenceLogged) this.#log.info({ term: this.term }, 'gateway hears the sequencer again');
    this.#isSilenceLogged = problem !== null;
    this.#events.changed();
  }

  #onUp(session: NatsSession): void {
    this.#reader.up(session);
    void this.#catchUp();
    this.#events.up();
  }

  /** Waits until everything published since is read; only then are books from before the disconnect reported as live again. */
  async #catchUp(): Promise<void> {
    const end = new AbortController();
    this.#catchUpEnd = end;
    try {
      await this.#reader.caughtUp(end.signal);
    } catch {
      // The connection was lost again.
      return;
    }
    this.#isCaughtUp = true;
    this.#events.changed();
  }

  #onDown(): void {
    this.#catchUpEnd.abort();
    this.#isCaughtUp = false;
    this.#reader.down();
    this.#events.down();
    this.#events.changed();
  }
}
