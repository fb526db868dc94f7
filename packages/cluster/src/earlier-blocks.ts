import type { EarlierBlocks, EarlierQuery, PublishedEntry } from '@l4desk/feed/core';
import { AckPolicy, DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type ClusterMessage, readFrame } from './frame.ts';
import { type NatsSession, STREAM } from './nats-link.ts';
import { TermReader } from './term-reader.ts';

/** Maximum bytes requested from the server at a time; the next ones are sent once these are read. */
const PULL_BYTES = 4_194_304;

/** The server removes an unused consumer after this time. */
const ABANDONED_MS = 10_000;

type Earlier = EarlierBlocks['blocks'][number];

/** Reads the blocks of an epoch before `upTo`, by the server's own times. Rejects when the signal aborts. */
export async function readEarlier(
  { connection, manager }: NatsSession,
  query: EarlierQuery,
  { epoch, upTo }: { readonly epoch: string; readonly upTo: number },
  signal: AbortSignal,
): Promise<readonly Earlier[]> {
  const last = await manager.streams.getMessage(STREAM, { seq: upTo });
  signal.throwIfAborted();
  if (last === null) return [];
  const endsAt = last.time.getTime();
  const { name } = await manager.consumers.add(STREAM, {
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(endsAt - query.keepMs).toISOString(),
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(ABANDONED_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await jetstream(connection).consumers.get(STREAM, name);
  const messages = await consumer.consume({ max_bytes: PULL_BYTES });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  const found = new Found(query, epoch);
  let storedAt = endsAt;
  const terms = new TermReader({
    message: (message) => found.take(message, endsAt - storedAt),
    // What is missing shows in the seqs.
    term: () => {},
    missed: () => {},
  });
  try {
    for await (const message of messages) {
      if (message.seq > upTo) break;
      storedAt = message.time.getTime();
      const frame = readFrame(message.data);
      if (frame === null) terms.restart();
      else terms.take(frame);
      if (message.seq === upTo) break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    manager.consumers.delete(STREAM, name).catch(() => {});
  }
  signal.throwIfAborted();
  return found.blocks;
}

/** The blocks found so far, within the bound on bytes. */
class Found {
  readonly #epoch: string;
  readonly #bytesMax: number;
  readonly #coins: ReadonlySet<string>;
  readonly #all: ReadonlySet<string>;
  readonly #blocks: (Earlier & { readonly bytes: number })[] = [];
  #bytes = 0;

  constructor({ coins, all, bytesMax }: EarlierQuery, epoch: string) {
    this.#epoch = epoch;
    this.#bytesMax = bytesMax;
    this.#coins = new Set(coins);
    this.#all = new Set(all);
  }

  get blocks(): readonly Earlier[] {
    return this.#blocks;
  }

  take(message: ClusterMessage, ageMs: number): void {
    if (message.kind !== 'block' || message.block.epoch !== this.#epoch) return;
    const { block } = message;
    const entries = block.entries.filter(({ coin }) => this.#coins.has(coin)).map((entry) => this.#own(entry));
    if (entries.length === 0) return;
    const bytes = entries.reduce(
      (sum, { all, book }) => sum + book.plain.length + (all === null || all === book ? 0 : all.plain.length),
      0,
    );
    this.#blocks.push({ ageMs, block: { ...block, entries }, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) this.#bytes -= this.#blocks.shift()?.bytes ?? 0;
  }

  /** Copies the wanted texts: those of a message are views of the message's memory. */
  #own(entry: PublishedEntry): PublishedEntry {
    const book = { plain: Buffer.from(entry.book.plain), deflated: null };
    if (entry.all === entry.book) return { ...entry, all: book, book };
    const isRead = this.#all.has(entry.coin) && entry.all !== null;
    return { ...entry, all: isRead ? { plain: Buffer.from(entry.all.plain), deflated: null } : null, book };
  }
}
