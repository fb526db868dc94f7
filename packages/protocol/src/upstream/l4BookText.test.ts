import { Chance, diff, nodeRecording, order, orderStatus } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { decodeL4BookMessage } from './l4Book.ts';
import { readL4BookBlockText } from './l4BookText.ts';
import { readNodeStatuses } from './nodeFiles.ts';

function message(statuses: readonly unknown[], diffs: readonly unknown[], more: object = {}): string {
  const updates = { time: 1_778_002_753_024, height: 985_148_182, order_statuses: statuses, book_diffs: diffs };
  return JSON.stringify({ channel: 'l4Book', data: { Updates: { ...updates, ...more } } });
}

const readAll = () => true;
const readNoOther = () => false;

/** A result of the fast reader must equal that of the full one; null makes no claim. */
function expectAgreed(text: string): 'read' | 'left' {
  const fast = readL4BookBlockText(text, readAll);
  if (fast === null) return 'left';
  const full = decodeL4BookMessage(JSON.parse(text));
  if (full.kind !== 'block') throw new Error(`${full.kind}: ${text}`);
  const { coin, height, time, changes, statuses } = full;
  const oids = new Set(changes.map(({ oid }) => oid));
  const ofDiffs = statuses.filter((status) => oids.has(status.order.oid));
  const hasOtherStatuses = ofDiffs.length < statuses.length;
  const read = { coin, height, time, changes, statuses: ofDiffs, hasOtherStatuses };
  expect(fast).toMatchObject(read);
  const withoutOthers = { ...fast, statusesText: null };
  expect(readL4BookBlockText(text, readNoOther) ?? withoutOthers).toEqual(withoutOthers);
  expect(JSON.parse(`[${fast.statusesText ?? ''}]`)).toEqual(statuses);
  expect(statuses.every((status) => status.order.user === null)).toBe(true);
  return 'read';
}

const status = (oid: number, more: object = {}, outer: object = {}) => ({
  ...orderStatus(order({ coin: 'BTC', oid, user: null, ...more })),
  ...outer,
});
const insert = (oid: number) => ({ ...diff.insert('1.0', { coin: 'BTC', oid }), coin: 'BTC' });

describe('the text of a block', () => {
  test('[UP-13] is read as the full reader reads it, with only the statuses of its diffs', () => {
    const text = message(
      [status(1), status(2), status(3, { tif: null, cloid: null }), status(2)],
      [insert(2), insert(9)],
    );
    expect(expectAgreed(text)).toBe('read');
    expect(readL4BookBlockText(text, readAll)?.statuses.map(({ order: { oid } }) => oid)).toEqual([2, 2]);
    expect(readL4BookBlockText(text, readNoOther)).toEqual({
      ...readL4BookBlockText(text, readAll),
      statusesText: null,
    });
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
  ])('[UP-15] with %s is left to the full reader', (_, text) => {
    expect(readL4BookBlockText(text, readAll)).toBeNull();
  });

  test('[UP-15] with any damage is left to the full reader, or both read the same', () => {
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

  test('skips the other statuses if they have no reader, and damage in them changes nothing else', () => {
    const chance = new Chance(72);
    const others = [111_111, 333_333, 555_555].map((oid) => status(oid));
    const [first, second, third] = others;
    const text = message([first, status(222_222), second, status(444_444), third], [insert(222_222), insert(444_444)]);
    const sound = readL4BookBlockText(text, readNoOther);
    expect(sound?.statuses.map(({ order: { oid } }) => oid)).toEqual([222_222, 444_444]);
    const outcomes = { read: 0, left: 0 };
    for (let run = 0; run < 4_000; run += 1) {
      const other = JSON.stringify(chance.pick(others));
      const at = text.indexOf(other) + chance.int(0, other.length);
      const letter = '"\\{}[],:0129aZ-. \n'[chance.int(0, 18)] ?? '';
      const damaged = text.slice(0, at) + letter + text.slice(at + chance.int(0, 3));
      const picked = readL4BookBlockText(damaged, readNoOther);
      outcomes[picked === null ? 'left' : 'read'] += 1;
      expect(picked ?? sound, `seed ${chance.seed}`).toEqual(sound);
    }
    expect(outcomes.read).toBeGreaterThan(1_000);
    expect(outcomes.left).toBeGreaterThan(300);
  });

  test('[L4-25] reads no status of a block without diffs', () => {
    const text = message([status(1)], []).replace('"0x', '"1x');
    expect(readL4BookBlockText(text, readAll)).toBeNull();
    expect(readL4BookBlockText(text, readNoOther)).toMatchObject({ statuses: [], hasOtherStatuses: true });
  });

  const recordings = [nodeRecording('by_block')].filter((recording) => recording !== undefined);
  test.each(recordings)(
    'reads every block of the recording (skipped if the recording is not available)',
    (recording) => {
      for (const [index, line] of recording.diffs.entries()) {
        const diffs = JSON.parse(line).events;
        const statuses = readNodeStatuses(JSON.parse(recording.statuses[index] ?? '').events);
        // A node prints more fields of a status than the order-level server passes on.
        const isEmpty = diffs.length + statuses.length === 0;
        const text = message(statuses, diffs);
        expect(expectAgreed(text)).toBe(isEmpty ? 'left' : 'read');
        expect(readL4BookBlockText(text, readNoOther) === null).toBe(isEmpty);
      }
    },
  );
});
