import { L4Book } from '@l4desk/book';
import type { BookChange, DecimalString, Side } from '@l4desk/protocol';
import { diff, order, orderStatus, wallet } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { readServerMessage } from '../sources/server-message.ts';
import { describeFindings, fillSides, joined } from './apply-block.ts';

const user = wallet(1);

/** Bids 1 at 100.0 and 2 at 99.0, asks 3 at 101.0 and 4 at 102.0. */
function book(): L4Book {
  const resting = (oid: number, side: Side, limitPx: DecimalString) => order({ oid, side, limitPx });
  const built = L4Book.build('BTC', [
    [resting(1, 'B', '100.0'), resting(2, 'B', '99.0')],
    [resting(3, 'A', '101.0'), resting(4, 'A', '102.0')],
  ]);
  expect(built.findings).toEqual([]);
  return built.book;
}

type Unsided = BookChange<Side | null>;

function insert(oid: number, px: DecimalString, insertBefore: number | null = null): Unsided {
  return { kind: 'insert', oid, user, side: null, px, sz: '1.0', insertBefore };
}

function remove(oid: number, px: DecimalString): Unsided {
  return { kind: 'remove', oid, user, side: null, px };
}

function sidesOf(changes: readonly Unsided[], statuses: Parameters<typeof fillSides>[1] = []): string {
  const filled = fillSides(changes, statuses, book());
  return filled.kind === 'sided' ? filled.changes.map(({ side }) => side).join('') : `ambiguous ${filled.oid}`;
}

describe('a diff without a side', () => {
  test('[UP-14] of a resting order gets the side it rests on', () => {
    const resize: Unsided = { kind: 'resize', oid: 3, user, side: null, px: '101.0', origSz: '1.0', newSz: '0.5' };
    expect(sidesOf([remove(2, '99.0'), resize])).toBe('BA');
  });

  test('[UP-14] of a new order gets the side of its status', () => {
    const status = orderStatus(order({ oid: 9, side: 'A', limitPx: '100.5' }));
    expect(sidesOf([insert(9, '100.5'), remove(9, '100.5')], [status])).toBe('AA');
  });

  test('[UP-14, L4-28] of a new order in front of another gets the side of that order', () => {
    expect(sidesOf([insert(9, '102.0', 4), insert(10, '102.0', 9)])).toBe('AA');
  });

  test.each([
    ['at the best bid', '100.0', 'B'],
    ['behind the bids', '1.0', 'B'],
    ['at the best ask', '101.0', 'A'],
    ['behind the asks', '5000.0', 'A'],
  ] as const)('[UP-14] of a new order without a status gets its side from the price: %s', (_, px, side) => {
    expect(sidesOf([insert(9, px)])).toBe(side);
  });

  test('[UP-14] is ambiguous if the block removes the order it would have matched', () => {
    expect(sidesOf([remove(1, '100.0'), insert(9, '100.0')])).toBe('ambiguous 9');
    expect(sidesOf([remove(2, '99.0'), insert(9, '100.0')])).toBe('BB');
    expect(sidesOf([remove(3, '101.0'), insert(9, '101.0')])).toBe('ambiguous 9');
    expect(sidesOf([remove(4, '102.0'), insert(9, '101.0')])).toBe('AA');
  });

  test('[UP-14, BOOK-10] of an unknown order is ambiguous', () => {
    expect(sidesOf([remove(77, '99.0')])).toBe('ambiguous 77');
  });
});

test('[UP-14] keeps a side that was sent', () => {
  const changes: readonly Unsided[] = [{ ...insert(9, '100.5'), side: 'A' }];
  expect(fillSides(changes, [], book())).toEqual({ kind: 'sided', changes });
});

test('[UP-6] the reason of a loss names the first finding and counts the others', () => {
  const { findings } = L4Book.build('BTC', [[order({ oid: 1 }), order({ oid: 1 }), order({ oid: 1 })], []]);
  expect(describeFindings(findings.slice(0, 1))).toBe('order 1 already rests');
  expect(describeFindings(findings)).toBe('order 1 already rests and 1 more');
});

test('[L4-30] blocks in one entry have a text of all statuses unless those of one were not all read', () => {
  const order_statuses = [orderStatus(order())];
  const data = { Updates: { time: 1, height: 1, order_statuses, book_diffs: [diff.insert('1.0')] } };
  const message = readServerMessage(JSON.stringify({ channel: 'l4Book', data }), () => true);
  if (message.kind !== 'block') throw new Error(message.kind);
  const { block } = message;
  const plain = { ...block, statusesText: null };
  expect(JSON.parse(`[${joined([block, plain]).statusesText}]`)).toEqual([...order_statuses, ...order_statuses]);
  const unread = { ...plain, hasOtherStatuses: true };
  expect(joined([block, unread])).toMatchObject({ statusesText: null, hasOtherStatuses: true });
  expect(joined([block, { ...unread, statusesText: block.statusesText }]).statusesText).not.toBeNull();
});
