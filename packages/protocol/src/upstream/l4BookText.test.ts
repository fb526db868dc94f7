import { Chance, diff, nodeRecording, order, orderStatus } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { decodeL4BookMessage } from './l4Book.ts';
import { readL4BookBlockText } from './l4BookText.ts';
import { readNodeStatuses } from './nodeFiles.ts';

function message(statuses: readonly unknown[], diffs: readonly unknown[], more: object = {}): string {
  const updates = { time: 1_778_002_753_024, height: 985_148_182, order_statuses: statuses, book_diffs: diffs };
  return JSON.stringify({ channel: 'l4Book', data: { Updates: { ...updates, ...more } } });
}

/** What the fast reader says of a text must be what the full one says; null says nothing. */
function expectAgreed(text: string): 'read' | 'left' {
  const fast = readL4BookBlockText(text);
  if (fast === null) return 'left';
  const full = decodeL4BookMessage(JSON.parse(text));
  if (full.kind !== 'block') throw new Error(`${full.kind}: ${text}`);
  const { coin, height, time, changes, statuses } = full;
  expect(fast).toMatchObject({ coin, height, time, changes, statusCount: statuses.length });
  const oids = new Set(changes.map(({ oid }) => oid));
  expect(fast.statuses).toEqual(statuses.filter((status) => oids.has(status.order.oid)));
  expect(JSON.parse(`[${fast.statusesText}]`)).toEqual(statuses);
  expect(statuses.every((status) => status.order.user === null)).toBe(true);
  return 'read';
}

const status = (oid: number, more: object = {}, outer: object = {}) => ({
  ...orderStatus(order({ coin: 'BTC', oid, user: null, ...more })),
  ...outer,
});
const insert = (oid: number) => ({ ...diff.insert('1.0', { coin: 'BTC', oid }), coin: 'BTC' });

describe('the text of a block', () => {
  test('[UP-34, UP-13] is read as the full reader reads it, with the statuses of its diffs only', () => {
    const text = message(
      [status(1), status(2), status(3, { tif: null, cloid: null }), status(2)],
      [insert(2), insert(9)],
    );
    expect(expectAgreed(text)).toBe('read');
    expect(readL4BookBlockText(text)?.statuses.map(({ order: { oid } }) => oid)).toEqual([2, 2]);
    expect(expectAgreed(message([], [insert(2)]))).toBe('read');
    expect(expectAgreed(message([status(1)], []))).toBe('read');
  });

  test.each<[string, string]>([
    ['nothing in it', message([], [])],
    [
      'an owner inside the order',
      message([status(1)], [insert(2)]).replace('"user":null', `"user":"0x${'5'.repeat(40)}"`),
    ],
    ['another coin', message([status(1, { coin: 'ETH' })], [insert(2)])],
    ['a field more in a status', message([status(1, {}, { hint: 1 })], [insert(2)])],
    ['a field more in the block', message([status(1)], [insert(2)], { hint: 1 })],
    ['an escape in a text', message([status(1, { triggerCondition: 'a"b' })], [insert(2)])],
    ['a number for a size', message([status(1, { sz: 1 })], [insert(2)])],
    ['a diff without a price', message([status(1)], [{ ...insert(2), px: undefined }])],
    ['a leading zero', message([status(1)], [insert(2)]).replace('"oid":1,', '"oid":01,')],
    ['no comma between', message([status(1), status(2)], [insert(2)]).replace('}},{"time"', '}};{"time"')],
    ['its end missing', message([status(1)], [insert(2)]).slice(0, -30)],
    ['another channel', message([status(1)], [insert(2)]).replace('"l4Book"', '"l2Book"')],
  ])('[UP-34, UP-15] with %s is left to the full reader', (_, text) => {
    expect(readL4BookBlockText(text)).toBeNull();
  });

  test('[UP-34, UP-15] with any damage it is left to the full reader, or both read the same', () => {
    const chance = new Chance(71);
    const text = message([status(1), status(2), status(3)], [insert(2), insert(3)]);
    const letters = '"\\{}[],:0129aZ-. \n';
    const outcomes = { read: 0, left: 0 };
    for (let run = 0; run < 4_000; run += 1) {
      const at = chance.int(0, text.length);
      const length = chance.int(0, 3);
      const letter = letters[chance.int(0, letters.length)] ?? '';
      outcomes[expectAgreed(text.slice(0, at) + letter + text.slice(at + length))] += 1;
    }
    expect(outcomes.read, `seed ${chance.seed}`).toBeGreaterThan(100);
    expect(outcomes.left, `seed ${chance.seed}`).toBeGreaterThan(1_000);
  });

  const recordings = [nodeRecording('by_block')].filter((recording) => recording !== undefined);
  test.each(recordings)(
    '[UP-34] of the recording every block is read (left out where it is not at hand)',
    (recording) => {
      for (const [index, line] of recording.diffs.entries()) {
        const diffs = JSON.parse(line).events;
        const statuses = readNodeStatuses(JSON.parse(recording.statuses[index] ?? '').events);
        // A node prints more of a status than the order-level server hands on.
        const isEmpty = diffs.length + statuses.length === 0;
        expect(expectAgreed(message(statuses, diffs))).toBe(isEmpty ? 'left' : 'read');
      }
    },
  );
});
