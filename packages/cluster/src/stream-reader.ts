import { backoffMs, type Log } from '@l4desk/runtime';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { createInbox, type Msg, nanos } from '@nats-io/transport-node';
import { type Frame, readFrame } from './frame.ts';
import { HEALTH_SUBJECT, type NatsSession, STREAM } from './nats-link.ts';

interface StreamReaderEvents {
  /** A message of the stream; each is reported once, in order. */
  readonly frame: (frame: Frame) => void;
  /** The next message does not continue the previous ones: the stream is new, or begins elsewhere. */
  readonly restarted: () => void;
}

const HEARTBEAT_MS = 1_000;

/** Reading is restarted after this long without a message or a heartbeat. */
const SILENT_MS = 3_500;

/** The server removes an unused consumer after this time. */
const ABANDONED_MS = 30_000;

const RETRY = { firstMs: 50, longestMs: 1_000 };

/** Status code of a consumer's control messages. */
const CONTROL = 100;

/** Header names of a consumer's control messages. */
const STALLED = 'Nats-Consumer-Stalled';
const LAST_CONSUMER = 'Nats-Last-Consumer';

/**
 * Reads the stream and continues from where it stopped after any loss of the connection or the consumer. It starts at the
 * sequencer's last health report, which is at most a second old.
 */
export class StreamReader {
  readonly #log: Log;
  readonly #events: StreamReaderEvents;
  /** Stream sequence of the last message read; null before the first. */
  #last: number | null = null;
  #session: NatsSession | null = null;
  #stop: (problem: string) => void = () => {};
  #closed = false;
  readonly #waiting = new Set<{ readonly sequence: number; readonly reached: () => void }>();

  constructor(log: Log, events: StreamReaderEvents) {
    this.#log = log;
    this.#events = events;
  }

  /** Stream sequence of the last message read; null before the first. */
  get last(): number | null {
    return this.#last;
  }

  /** Starts reading over this connection. */
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

  /** Resolves when everything that the stream contains now has been read. Rejects if the signal aborts before. */
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

  /** The reading loop: ends with the connection. Consecutive failures wait longer each time, up to a maximum. */
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

  /** Reads until something fails. Resolves with the reason. */
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

  /** Processes delivered messages; calls `end` if one is missing or nothing arrives any more. */
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
 * Responds to a heartbeat or a flow-control request; the server sends only a limited amount between two responses. Returns false
 * if the server has delivered more messages than arrived.
 */
function respond(connection: NatsSession['connection'], message: Msg, delivered: number): boolean {
  if (message.reply !== undefined && message.reply !== '') message.respond();
  const stalled = message.headers?.get(STALLED) ?? '';
  if (stalled !== '') connection.publish(stalled);
  const last = message.headers?.get(LAST_CONSUMER) ?? '';
  return last === '' || Number(last) <= delivered;
}

/** Reads a message's sequence in the stream and among the delivered messages from its reply subject; null if it has none. */
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
