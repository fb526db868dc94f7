import type { BookLossReason } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { ClusterMessage, LeaderStatus } from './frame.ts';
import { LeaderWatch } from './leader-watch.ts';
import { NatsLink, type NatsSession } from './nats-link.ts';
import type { ClusterSettings } from './settings.ts';
import { fetchSnapshot, type LeaderSnapshot } from './snapshot-exchange.ts';
import { StreamReader } from './stream-reader.ts';
import { TermReader } from './term-reader.ts';

interface LeaderStreamEvents {
  readonly message: (message: ClusterMessage) => void;
  /** Another leader, or the first one: nothing continues from before. */
  readonly term: (isFirst: boolean) => void;
  /** Messages were missed, and why. `isOver`: the current term is unknown, too. */
  readonly missed: (detail: string, isOver: boolean) => void;
  /** The state of one of the leader's books changed. */
  readonly status: (coin: string, status: LeaderStatus) => void;
  /** NATS is connected; messages missed meanwhile are being read. */
  readonly up: () => void;
  readonly down: () => void;
  /** `problem` or `cutOffReason` changed. */
  readonly changed: () => void;
}

/** The leading sequencer's messages as a gateway reads them from the stream, and whether they may be outdated. */
export class LeaderStream {
  readonly leader: LeaderWatch;
  readonly #log: Log;
  readonly #events: LeaderStreamEvents;
  readonly #link: NatsLink;
  readonly #reader: StreamReader;
  readonly #terms: TermReader;
  /** Whether everything that the stream contained at the last connect has been read. */
  #isCaughtUp = false;
  /** Whether the log says that the leader is silent, and not yet that it is heard again. */
  #isSilenceLogged = false;
  #catchingUp = new AbortController();

  constructor(settings: ClusterSettings, clock: SystemClock, log: Log, events: LeaderStreamEvents) {
    this.#log = log;
    this.#events = events;
    this.leader = new LeaderWatch(clock, { status: events.status, silence: () => this.#onSilence() });
    this.#terms = new TermReader({
      message: (message) => this.#onMessage(message),
      term: (isFirst) => {
        if (!isFirst) log.warn({ term: this.term }, 'another sequencer leads');
        this.leader.forget();
        events.term(isFirst);
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
  }

  /** The connection to NATS; null while it is lost. */
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

  /** Why the last messages may be outdated; null if they are not. */
  get problem(): string | null {
    const nats = this.#link.problem;
    if (nats !== null) return `NATS: ${nats}`;
    return this.leader.problem ?? (this.#isCaughtUp ? null : 'the stream is being read');
  }

  /** The same as a loss reason of a book. */
  get cutOffReason(): BookLossReason | null {
    if (this.problem === null) return null;
    return this.#link.problem === null ? 'feed-silent' : 'disconnected';
  }

  /** Counters and problems for `health`. */
  get report() {
    const { terms, gaps } = this.#terms;
    return { natsProblem: this.#link.problem, leaderProblem: this.leader.problem, terms, gaps };
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

  /** Stops reading; the connection stays open until `close`. */
  stop(): void {
    this.#catchingUp.abort();
    this.leader.close();
    this.#reader.close();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#link.close();
  }

  #onMessage(message: ClusterMessage): void {
    this.leader.heard();
    if (message.kind === 'status') this.leader.onStatus(message.coin, message.status);
    else if (message.kind === 'health') this.leader.onHealth(message);
    this.#events.message(message);
  }

  #onSilence(): void {
    const { problem } = this.leader;
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
    const catchingUp = new AbortController();
    this.#catchingUp = catchingUp;
    try {
      await this.#reader.caughtUp(catchingUp.signal);
    } catch {
      // The connection was lost again.
      return;
    }
    this.#isCaughtUp = true;
    this.#events.changed();
  }

  #onDown(): void {
    this.#catchingUp.abort();
    this.#isCaughtUp = false;
    this.#reader.down();
    this.#events.down();
    this.#events.changed();
  }
}
