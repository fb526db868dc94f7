// The feed thread: what a block of the order-level server costs it, against `JSON.parse` of the same text.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { type BookCapture, generatedCapture, realCapture } from '@l4desk/testkit';
import { readServerMessage } from '../sources/server-message.ts';
import { fillSides } from '../sources/sides.ts';
import { packBlock } from '../thread/port.ts';
import { entryTexts } from './entry-text.ts';

const ROUNDS = 12;
const NO_DEFLATE = { all: false, book: false };

/** The blocks as the order-level server sends them. */
function messagesOf({ batches }: BookCapture): readonly string[] {
  return batches
    .filter(({ changes }) => changes.length > 0)
    .map(({ changes, height, statuses, time }) => {
      const book_diffs = changes.map((change) => {
        const { oid, px, side, user } = change;
        const raw_book_diff =
          change.kind === 'insert'
            ? { new: { sz: change.sz } }
            : change.kind === 'resize'
              ? { update: { origSz: change.origSz, newSz: change.newSz } }
              : 'remove';
        return { user, oid, coin: 'BTC', side, px, raw_book_diff };
      });
      const order_statuses = statuses.map(({ time: at, user, status, order }) => ({ time: at, user, status, order }));
      return JSON.stringify({ channel: 'l4Book', data: { Updates: { time, height, order_statuses, book_diffs } } });
    });
}

/** Processor time of all messages, in ms a message. */
function spent(messages: readonly string[], call: (text: string) => unknown): number {
  const before = process.cpuUsage();
  for (const text of messages) call(text);
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1_000 / messages.length;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Reads, applies, writes the texts and packs them, as the feed thread does with each block. */
function feedThread(book: L4Book): (text: string) => unknown {
  let seq = 0;
  return (text) => {
    const message = readServerMessage(text);
    if (message.kind !== 'block') throw new Error(message.kind);
    const { block } = message;
    const filled = fillSides(block.changes, block.statuses, book);
    if (filled.kind !== 'sided') throw new Error(filled.kind);
    book.apply(filled.changes, block.statuses, block.time);
    seq += 1;
    const entry = { ...block, changes: filled.changes, seq, prevSeq: seq - 1 };
    const texts = { coin: block.coin, seq, prevSeq: seq - 1, ...entryTexts(entry, NO_DEFLATE) };
    return packBlock({ epoch: '', height: block.height, time: block.time, receivedAt: 0, entries: [texts] });
  };
}

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  const messages = messagesOf(capture);
  const times = { parse: [] as number[], read: [] as number[], whole: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    // Building a book of 50,000 orders leaves garbage that no block pays for.
    globalThis.gc?.();
    const parse = spent(messages, (text) => JSON.parse(text));
    const read = spent(messages, (text) => readServerMessage(text));
    const whole = spent(messages, feedThread(book));
    // The first rounds are of code that is not optimised yet.
    if (round < 3) continue;
    times.parse.push(parse);
    times.read.push(read);
    times.whole.push(whole);
  }
  const limit = median(times.parse);
  for (const [item, ours, bar] of [
    ['reading a block', median(times.read), 0.6],
    ['a block on the feed thread: read, applied, both texts, packed', median(times.whole), 1],
  ] as const) {
    yield {
      item: `${item} (${capture.name})`,
      ours: `${ours.toFixed(2)} ms`,
      limit: `JSON.parse of the text ${limit.toFixed(2)} ms`,
      ratio: ours / limit,
      bar: `≤ ${bar}`,
      pass: ours / limit <= bar,
    };
  }
}
