// Cost of an order-level server's block on the feed thread, starting from the message bytes, compared with `JSON.parse` of the
// text.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { generatedCapture, realCapture } from '@l4desk/testkit';
import { NO_TEXTS_WANTED } from '../api.ts';
import { readServerMessage } from '../sources/server-message.ts';
import { textOf } from '../sources/upstream-connection.ts';
import { median, messagesOf, publishes, spent } from '../test-support/measured-blocks.ts';
import { packBlock } from '../thread/port.ts';

const ROUNDS = 15;
/** The first rounds run code that is not optimised yet. */
const WARM_UP_ROUNDS = 3;

const ROWS = {
  read: { item: 'reading a block whose other statuses nobody reads', bar: 0.3 },
  book: { item: 'a block on the feed thread without a reader of all statuses: read, applied, text, packed', bar: 0.6 },
  all: { item: 'the same with readers of all statuses: both texts', bar: 1 },
} as const;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  const texts = messagesOf(capture);
  const messages = texts.map((text) => Buffer.from(text));
  const times = { parse: [] as number[], read: [] as number[], book: [] as number[], all: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const books = { book: L4Book.build('BTC', capture.levels).book, all: L4Book.build('BTC', capture.levels).book };
    for (const book of Object.values(books)) book.rollingChecksum();
    // Building a book of 50,000 orders leaves garbage; its collection must not count towards a block.
    globalThis.gc?.();
    const parse = spent(texts, (text) => JSON.parse(text));
    const read = spent(messages, (bytes) => readServerMessage(textOf(bytes), () => false));
    const whole = (form: 'book' | 'all') => {
      const publish = publishes(books[form], { sumsUp: true, wanted: { ...NO_TEXTS_WANTED, all: form === 'all' } });
      return spent(messages, (bytes) => packBlock(publish(textOf(bytes))));
    };
    const spentOn = { parse, read, book: whole('book'), all: whole('all') };
    if (round < WARM_UP_ROUNDS) continue;
    for (const name of ['parse', 'read', 'book', 'all'] as const) times[name].push(spentOn[name]);
  }
  const limit = median(times.parse);
  for (const name of ['read', 'book', 'all'] as const) {
    const { item, bar } = ROWS[name];
    const ours = median(times[name]);
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
