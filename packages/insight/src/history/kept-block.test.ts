import { L4Book } from '@l4desk/book';
import type { Address, L4Order } from '@l4desk/protocol';
import { generatedCapture, order, realCapture, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../flow/flow-event.ts';
import { History } from './history.ts';
import { KeptBlock } from './kept-block.ts';

const MARK = { height: 7, time: 1_700_000_000_123, epoch: 'e', seq: 3 };
const CLOID = '0x00000000000000000000000000000001';

function event(fields: Partial<FlowEvent> = {}): FlowEvent {
  return {
    act: 'insert',
    kind: 'added',
    inferred: false,
    reason: null,
    oid: 42,
    user: wallet(1),
    side: 'A',
    px: '100.50',
    level: '100.5',
    from: '0',
    to: '1.0',
    cloid: null,
    other: null,
    refill: 0,
    place: { ordersAhead: 0, szAhead: '0' },
    behind: null,
    order: order({ oid: 42, user: wallet(1), side: 'A', limitPx: '100.50', sz: '1.0', cloid: null }),
    ...fields,
  };
}

/** An order that was replaced by another one. */
function leaves(fields: Partial<L4Order>): FlowEvent {
  const gone = order({ oid: 42, cloid: null, ...fields });
  const { oid, cloid } = gone;
  return event({ act: 'remove', kind: 'requotedOut', oid, cloid, other: 0, behind: 0, place: null, order: gone });
}

function packed(events: readonly FlowEvent[]): KeptBlock {
  const block = new KeptBlock(MARK, events);
  block.pack();
  return block;
}

/** Compares as text, which includes the order of fields: books and recordings print them in that order. */
const text = JSON.stringify;

describe('a packed block', () => {
  it.each([realCapture() ?? generatedCapture(), generatedCapture()])('restores every change: $name', (capture) => {
    const { levels, batches } = capture;
    const [first] = batches;
    if (first === undefined) throw new Error('a recording has blocks');
    const { epoch, height, time, prevSeq: seq } = first;
    const history = new History('BTC');
    history.begin(L4Book.build('BTC', levels).book, { epoch, height: height - 1, time, seq }, '');
    const told = batches.map((batch) => text(history.add(batch)?.events()));
    const kept = told.map((_, at) => text(history.blockAt(history.first + 1 + at)?.events()));
    expect(kept).toEqual(told);
    expect(told.join().length).toBeGreaterThan(10_000);
  });

  it('restores rare values', () => {
    const events = [
      event(),
      event({
        act: 'resize',
        kind: 'grown',
        inferred: true,
        reason: 'größer "x"',
        order: null,
        place: null,
        refill: 3,
      }),
      leaves({ oid: Number.MAX_SAFE_INTEGER, cloid: CLOID }),
      leaves({ user: null, tif: null, isTrigger: true, children: [{ a: 1 }] }),
      leaves(JSON.parse('{"__proto__":"own"}')),
      leaves({ user: wallet(2).toUpperCase() as Address }),
    ];
    const block = packed(events);
    expect(block.events()).toStrictEqual(events);
    expect(text(block.events())).toBe(text(events));
    expect([block.count, block.mark]).toEqual([events.length, MARK]);
    block.pack();
    expect(text(block.events())).toBe(text(events));
    expect([packed([]).events(), packed([]).count]).toEqual([[], 0]);
  });
});
