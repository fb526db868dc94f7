// The feed thread: what a block of the order-level server costs it, against `JSON.parse` of the same text.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { generatedCapture, realCapture } from '@l4desk/testkit';
import { readServerMessage } from '../sources/server-message.ts';
import { median, messagesOf, publishes, spent } from '../test-support/measured-blocks.ts';
import { packBlock } from '../thread/port.ts';

const ROUNDS = 12;

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
    const publish = publishes(book, false);
    const whole = spent(messages, (text) => packBlock(publish(text)));
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
