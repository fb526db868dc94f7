import { backoffMs } from '@l4desk/client/stream';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { createInbox, type Msg, nanos } from '@nats-io/transport-node';
import type { Log } from '../api.ts';
import { type Frame, readFrame } from './frame.ts';
import { HEALTH_SUBJECT, type NatsSession, STREAM } from './nats-link.ts';

interface StreamReaderEvents {
  /** A message of the stream, in its order, each once. */
  readonly frame: (frame: Frame) => void;
  /** What comes next does not continue what came: the stream is new, or begins elsewhere. */
  readonly restarted: () => void;
}

const HEARTBEAT_MS = 1_000;

/** Without a message or a heartbeat for this long the reading is restarted. */
const SILENT_MS = 3_500;

/** A consumer that nobody listens to is removed by the server after this time. */
const ABANDONED_MS = 30_000;

const RETRY = { firstMs: 50, longestMs: 1_000 };

/** Code of a consumer's own messages. */
const CONTROL = 100;

/** Names of the headers of a consumer's own messages. */
const STALLED = 'Nats-Consumer-Stalled';
const LAST_CONSUMER = 'Nats-Last-Consumer';

/**
 * Reads the stream from where it stopped, through any loss of the connection or of the consumer (CL-5). It begins
 * with the last report of how the sequencer is, which is at most a second old.
 */
export class StreamReader {
  readonly #log: Log;
  readonly #events: StreamReaderEvents;
  /** The last message that was read; null before the first. */
  #last: number | null = null;
  #session: NatsSession | null = null;
  #stop: (problem: string) => void = () => {};
  #closed = false;
  readonly #waiting = new Set<{ readonly sequence: number; readonly reached: () => void }>();

  constructor(log: Log, events: StreamReaderEvents) {
    this.#log = log;
    this.#events = events;
  }

  /** The last message of the stream that was read. */
  get last(): number | null {
    return this.#last;
  }

  /** Reads over this connection from now on. */
  up(session: NatsSession): void {
    this.#session = session;
    void this.#run(session);
  }

  down(): void {
    this.#session = null;
    this.#stop('connection lost');
  }

  close(): void {
    this.#closed = true;
    this.down();
  }

  /** Resolves when everything is read that the stream holds now (CL-7). Rejects when the signal aborts before. */
  async caughtUp(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      const session = this.#session;
      const info = await session?.manager.streams.info(STREAM).catch(() => null);
      if (info) {
        await this.#reached(info.state.last_seq, signal);
        return;
      }
      await pause(backoffMs(failures, RETRY, Math.random), signal);
    }
  }

  #reached(sequence: number, signal: AbortSignal): Promise<void> {
    if (this.#last !== null && this.#last >= sequence) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting = {
        sequence,
        reached: () => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiting);
    });
  }

  /** The reading loop: ends with the connection; every failure in a row waits longer, up to the longest wait. */
  async #run(session: NatsSession): Promise<void> {
    for (let failures = 1; session === this.#session && !this.#closed; failures += 1) {
      try {
        const problem = await this.#read(session);
        if (session === this.#session) this.#log.warn({ problem }, 'reading the stream interrupted');
        failures = 1;
      } catch (error) {
        if (session === this.#session) this.#log.warn({ err: error }, 'reading the stream failed');
      }
      if (session !== this.#session || this.#closed) return;
      await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, RETRY, Math.random)));
    }
  }

  /** Resolves with why it ended. */
  async #read(session: NatsSession): Promise<string> {
    const { connection, manager } = session;
    const { state } = await manager.streams.info(STREAM);
    if (this.#last === null || this.#last > state.last_seq) {
      const health = await manager.streams.getMessage(STREAM, { last_by_subj: HEALTH_SUBJECT }).catch(() => null);
      this.#last = (health?.seq ?? state.last_seq + 1) - 1;
      this.#events.restarted();
    }
    let end: (problem: string) => void = () => {};
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    this.#stop = end;
    const inbox = createInbox();
    const delivery = this.#listen(connection, inbox, end);
    let consumer: string | undefined;
    try {
      const { name } = await manager.consumers.add(STREAM, {
        deliver_subject: inbox,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: (this.#last ?? 0) + 1,
        ack_policy: AckPolicy.None,
        flow_control: true,
        idle_heartbeat: nanos(HEARTBEAT_MS),
        inactive_threshold: nanos(ABANDONED_MS),
        mem_storage: true,
        num_replicas: 1,
      });
      consumer = name;
      return await ended;
    } finally {
      this.#stop = () => {};
      delivery.stop();
      if (consumer !== undefined) manager.consumers.delete(STREAM, consumer).catch(() => {});
    }
  }

  /** Takes what is delivered; `end` is called when something is missing, or nothing comes any more. */
  #listen(connection: NatsSession['connection'], inbox: string, end: (problem: string) => void) {
    let delivered = 0;
    let heardAt = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - heardAt > SILENT_MS) end('the server is silent');
    }, HEARTBEAT_MS);
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        heardAt = performance.now();
        if (error !== null) return end(error.message);
        if (message.headers !== undefined && message.headers.code === CONTROL) {
          if (!respond(connection, message, delivered)) end('messages were lost on the way');
          return;
        }
        const place = placeOf(message.reply);
        if (place === null) return;
        if (place.delivery !== delivered + 1) return end('messages were lost on the way');
        delivered = place.delivery;
        this.#take(place.sequence, message.data);
      },
    });
    const stop = () => {
      clearInterval(watch);
      subscription.unsubscribe();
    };
    return { stop };
  }

  #take(sequence: number, stored: Uint8Array): void {
    this.#last = sequence;
    const frame = readFrame(stored);
    if (frame === null) this.#events.restarted();
    else this.#events.frame(frame);
    for (const waiting of this.#waiting) if (sequence >= waiting.sequence) waiting.reached();
  }
}

/**
 * Responds to a heartbeat, or to the question whether what was sent was taken: the server sends no more than fits in between.
 * False where it has delivered more than came.
 */
function respond(connection: NatsSession['connection'], message: Msg, delivered: number): boolean {
  if (message.reply !== undefined && message.reply !== '') message.respond();
  const stalled = message.headers?.get(STALLED) ?? '';
  if (stalled !== '') connection.publish(stalled);
  const last = message.headers?.get(LAST_CONSUMER) ?? '';
  return last === '' || Number(last) <= delivered;
}

/** The place of a message in the stream and among those delivered, from its reply subject. */
export function placeOf(reply: string | undefined): { readonly sequence: number; readonly delivery: number } | null {
  const tokens = reply?.split('.') ?? [];
  // `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<delivery>.<time>.<pending>`; newer servers add a domain and an account.
  const at = tokens.length === 9 ? 5 : tokens.length >= 11 ? 7 : null;
  if (at === null || tokens[1] !== 'ACK') return null;
  return { sequence: Number(tokens[at]), delivery: Number(tokens[at + 1]) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
