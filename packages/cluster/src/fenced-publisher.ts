import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs, type Log } from '@l4desk/runtime';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { type ClusterMessage, encodeMessage, readFrame, split, writeFrame } from './frame.ts';
import { BLOCK_SUBJECT, HEALTH_SUBJECT, isOvertaken, type NatsSession, STREAM } from './nats-link.ts';

/** A message that the stream has not acknowledged yet. */
interface Pending {
  /** The stream sequence that the message must get. */
  readonly sequence: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
  isStored: boolean;
}

export interface FencedPublisherDeps {
  /** The connection; null while it is lost. */
  readonly session: () => NatsSession | null;
  /** The term is over; nothing of it is published from now on. */
  readonly ended: (reason: string) => void;
  readonly log: Log;
}

/** How long an acknowledgement may take. */
const ACKNOWLEDGED_WITHIN_MS = 2_000;

/** Maximum bytes that wait while the stream is unreachable. Past it the term ends, and another one begins when possible. */
const PENDING_BYTES_MAX = 67_108_864;

const RETRY = { firstMs: 50, longestMs: 1_000 };

/**
 * Writes one term to the stream. Every message names the sequence that it must get, so once another process has
 * written, all later ones are refused. After a lost connection, unacknowledged messages are looked up and sent again,
 * in order, without repeats.
 */
export class FencedPublisher {
  readonly term = randomUUID();
  readonly #deps: FencedPublisherDeps;
  readonly #pending: Pending[] = [];
  #pendingBytes = 0;
  /** Stream sequence of the next message. `#index` is its number in the term. */
  #next: number;
  #index = 0;
  #client: { readonly session: NatsSession; readonly stream: JetStreamClient };
  #isRecovering = false;
  #isOver = false;

  private constructor(deps: FencedPublisherDeps, session: NatsSession, last: number) {
    this.#deps = deps;
    this.#client = { session, stream: jetstream(session.connection) };
    this.#next = last + 1;
  }

  /** Begins a term: once its marker is in the stream, nothing from an earlier leader is accepted. */
  static async begin(deps: FencedPublisherDeps): Promise<FencedPublisher> {
    const session = deps.session();
    if (session === null) throw new Error('NATS is not connected');
    // Repeats until no block of the old leader gets in between, which soon succeeds: it sends a few per second, this takes 1 ms.
    for (;;) {
      const { state } = await session.manager.streams.info(STREAM);
      const publisher = new FencedPublisher(deps, session, state.last_seq);
      const [marker] = publisher.#framed({ kind: 'term' });
      if (marker === undefined) throw new Error('a marker is one message');
      try {
        await publisher.#store(session, marker);
        return publisher;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  publish(message: ClusterMessage): void {
    if (this.#isOver) return;
    for (const pending of this.#framed(message)) {
      this.#pending.push(pending);
      this.#pendingBytes += pending.bytes.length;
      if (!this.#isRecovering) this.#send(pending);
    }
    if (this.#pendingBytes > PENDING_BYTES_MAX) this.#end('the stream was away for too long');
  }

  /** Ends the term without calling `ended`. */
  close(): void {
    this.#isOver = true;
    this.#pending.length = 0;
    this.#pendingBytes = 0;
  }

  #framed(message: ClusterMessage): readonly Pending[] {
    const { chunkBytesMax } = this.#deps.session() ?? this.#client.session;
    const subject = message.kind === 'health' ? HEALTH_SUBJECT : BLOCK_SUBJECT;
    const pieces = split(encodeMessage(message), chunkBytesMax);
    return pieces.map((bytes, part): Pending => {
      const frame = { term: this.term, index: this.#index++, part, parts: pieces.length, bytes };
      return { sequence: this.#next++, subject, bytes: writeFrame(frame), isStored: false };
    });
  }

  #store(session: NatsSession, { subject, bytes, sequence }: Pending): Promise<unknown> {
    if (this.#client.session !== session) this.#client = { session, stream: jetstream(session.connection) };
    return this.#client.stream.publish(subject, bytes, {
      expect: { lastSequence: sequence - 1 },
      timeout: ACKNOWLEDGED_WITHIN_MS,
    });
  }

  #send(pending: Pending): void {
    const session = this.#deps.session();
    if (session === null) void this.#recover();
    else void this.#await(pending, this.#store(session, pending));
  }

  async #await(pending: Pending, stored: Promise<unknown>): Promise<void> {
    try {
      await stored;
    } catch {
      // It may have been stored anyway; look it up.
      await this.#recover();
      return;
    }
    pending.isStored = true;
    this.#drop();
  }

  /** Drops stored messages from the front; the stream stores them in order. */
  #drop(): void {
    for (let first = this.#pending[0]; first?.isStored === true; first = this.#pending[0]) {
      this.#pendingBytes -= first.bytes.length;
      this.#pending.shift();
    }
  }

  /** Sends what the stream does not contain yet, until all is sent or the term ends. */
  async #recover(): Promise<void> {
    if (this.#isRecovering || this.#isOver) return;
    this.#isRecovering = true;
    for (let failures = 1; !this.#isOver; failures += 1) {
      const session = this.#deps.session();
      const done = session !== null && (await this.#reconcile(session).catch(() => false));
      if (done) break;
      await pause(backoffMs(failures, RETRY, Math.random));
    }
    this.#isRecovering = false;
    for (const pending of this.#pending) if (!pending.isStored) this.#send(pending);
  }

  /** Resolves with true once it is known where to continue, or that the term is over. */
  async #reconcile({ manager }: NatsSession): Promise<boolean> {
    const { state } = await manager.streams.info(STREAM);
    const last = state.last_seq;
    const first = this.#pending[0];
    const reached = first === undefined ? this.#next - 1 : first.sequence - 1;
    if (last < reached) {
      this.#end(`the stream lost messages: it ends at ${last}, and ${reached} was acknowledged`);
      return true;
    }
    if (last === reached) return true;
    const message = await manager.streams.getMessage(STREAM, { seq: last });
    const isOurs = message !== null && readFrame(message.data)?.term === this.term;
    if (!isOurs) {
      this.#end('another sequencer leads');
      return true;
    }
    for (const pending of this.#pending) if (pending.sequence <= last) pending.isStored = true;
    this.#drop();
    return true;
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#deps.log.warn({ reason, term: this.term }, 'term ended');
    this.close();
    this.#deps.ended(reason);
  }
}
