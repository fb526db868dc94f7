import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs, type Log } from '@l4desk/runtime';
import { jetstream } from '@nats-io/jetstream';
import { type Frame, readFrame } from './frame.ts';
import { HEALTH_SUBJECT, type NatsSession, STREAM } from './nats-link.ts';

interface StreamReaderEvents {
  /** A message of the stream; each is reported once, in order. */
  readonly frame: (frame: Frame) => void;
  /** The next message does not continue the previous ones: the stream is new, or begins elsewhere. */
  readonly restarted: () => void;
}

/** The leader writes every second: after this long without a message the consumer may be gone, so another one is created. */
const SILENT_MS = 3_500;
const SILENCE_CHECK_MS = 1_000;

const RETRY = { firstMs: 50, longestMs: 1_000 };

/** Reads the stream from the last health report, and continues where it stopped after any loss. */
export class StreamReader {
  readonly #log: Log;
  readonly #events: StreamReaderEvents;
  #last: number | null = null;
  #session: NatsSession | null = null;
  #stop: () => void = () => {};
  #closed = false;
  readonly #reading = new EventEmitter().setMaxListeners(0);

  constructor(log: Log, events: StreamReaderEvents) {
    this.#log = log;
    this.#events = events;
  }

  get last(): number | null {
    return this.#last;
  }

  up(session: NatsSession): void {
    this.#session = session;
    void this.#run(session);
  }

  down(): void {
    this.#session = null;
    this.#stop();
  }

  close(): void {
    this.#closed = true;
    this.down();
  }

  /** Resolves when everything that the stream contains now has been read. Rejects if the signal aborts before. */
  async caughtUp(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      const session = this.#session;
      const info = await session?.manager.streams.info(STREAM).catch(() => null);
      if (info) {
        while ((this.#last ?? -1) < info.state.last_seq) await once(this.#reading, 'read', { signal });
        return;
      }
      await pause(backoffMs(failures, RETRY, Math.random), undefined, { signal });
    }
  }

  /** The reading loop: ends with the connection. Consecutive failures wait longer each time, up to a maximum. */
  async #run(session: NatsSession): Promise<void> {
    for (let failures = 1; session === this.#session && !this.#closed; failures += 1) {
      try {
        await this.#read(session);
        failures = 1;
      } catch (error) {
        if (session === this.#session) this.#log.warn({ err: error }, 'reading the stream failed');
      }
      if (session !== this.#session || this.#closed) return;
      await pause(backoffMs(failures, RETRY, Math.random));
    }
  }

  /** Reads with an ordered consumer, which continues by itself after a gap, until it ends or nothing arrives any more. */
  async #read({ connection, manager }: NatsSession): Promise<void> {
    const { state } = await manager.streams.info(STREAM);
    if (this.#last === null || this.#last > state.last_seq) {
      const health = await manager.streams.getMessage(STREAM, { last_by_subj: HEALTH_SUBJECT }).catch(() => null);
      this.#last = (health?.seq ?? state.last_seq + 1) - 1;
      this.#events.restarted();
    }
    const consumer = await jetstream(connection).consumers.getPushConsumer(STREAM, { opt_start_seq: this.#last + 1 });
    let readAt = performance.now();
    const messages = await consumer.consume({
      callback: ({ seq, data }) => {
        readAt = performance.now();
        this.#take(seq, data);
      },
    });
    this.#stop = () => messages.stop();
    const watch = setInterval(() => {
      if (performance.now() - readAt > SILENT_MS) messages.stop();
    }, SILENCE_CHECK_MS);
    try {
      const error = await messages.closed();
      if (error instanceof Error) throw error;
    } finally {
      clearInterval(watch);
      this.#stop = () => {};
      consumer.delete().catch(() => {});
    }
  }

  #take(sequence: number, stored: Uint8Array): void {
    this.#last = sequence;
    const frame = readFrame(stored);
    if (frame === null) this.#events.restarted();
    else this.#events.frame(frame);
    this.#reading.emit('read');
  }
}
