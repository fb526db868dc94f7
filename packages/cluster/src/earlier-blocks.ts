import type { EarlierBlocks, EarlierQuery, PublishedBlock, PublishedEntry } from '@l4desk/feed/core';
import { AckPolicy, DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { readFrame } from './frame.ts';
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
  const found: (Earlier & { readonly bytes: number })[] = [];
  let bytes = 0;
  let storedAt = endsAt;
  const take = (block: PublishedBlock): void => {
    if (block.epoch !== epoch) return;
    const entries = block.entries
      .filter(({ coin }) => query.coins.includes(coin))
      .map((entry) => own(entry, query.all));
    if (entries.length === 0) return;
    const size = entries.reduce(
      (sum, { all, book }) => sum + book.plain.length + (all === null || all === book ? 0 : all.plain.length),
      0,
    );
    found.push({ ageMs: endsAt - storedAt, block: { ...block, entries }, bytes: size });
    bytes += size;
    while (bytes > query.bytesMax) bytes -= found.shift()?.bytes ?? 0;
  };
  const terms = new TermReader({
    message: (message) => {
      if (message.kind === 'block') take(message.block);
    },
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
  return found;
}

/** Copies the wanted texts: those of a message are views of the message's memory. */
function own(entry: PublishedEntry, all: readonly string[]): PublishedEntry {
  const book = { plain: Buffer.from(entry.book.plain), deflated: null };
  if (entry.all === entry.book) return { ...entry, all: book, book };
  const isRead = all.includes(entry.coin) && entry.all !== null;
  return { ...entry, all: isRead ? { plain: Buffer.from(entry.all.plain), deflated: null } : null, book };
}
