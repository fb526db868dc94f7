import type { DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { big, plain } from '../test-support/brute-flow.ts';
import type { FlowEvent } from './flow-event.ts';
import { FlowTotals } from './flow-totals.ts';

function joined(oid: number, level: DecimalString, sz: DecimalString): FlowEvent {
  const user = wallet(1);
  const said = { inferred: false, reason: null, cloid: null, other: null, refill: 0, place: null, behind: null };
  return {
    act: 'insert',
    kind: 'added',
    oid,
    user,
    side: 'B',
    px: level,
    level,
    from: '0',
    to: sz,
    ...said,
    order: null,
  };
}

/** Sizes on both sides of what a number holds exactly, some finer than all before. */
const size = fc.constantFrom<DecimalString>(
  '1',
  '0.5',
  '0.000000001',
  '9007199254740991',
  '9007199254.740993',
  '123456789012345678901234567890.25',
);
const level = fc.constantFrom<DecimalString>('100', '101.5', '102', '9007199254740993.5');

it('flow totals stay exact past what a number holds, as changes are added and removed, by level and by row', () => {
  const changes = fc.array(fc.tuple(level, size), { maxLength: 30 });
  fc.assert(
    fc.property(changes, fc.array(fc.nat(29)), (all, taken) => {
      const totals = new FlowTotals();
      const events = all.map(([px, sz], oid) => joined(oid, px, sz));
      for (const event of events) {
        totals.add(event);
        // From here on, rows of both kinds are updated along with the levels.
        totals.moved('2');
        totals.row('B', '100', '2');
      }
      const gone = new Set(taken.filter((at) => at < events.length));
      for (const at of gone) totals.remove(events[at] as FlowEvent);
      const left = events.filter((_, at) => !gone.has(at));
      const sum = (of: readonly FlowEvent[]) => plain(of.reduce((before, { to }) => before + big(to), 0n));
      expect(totals.total()).toMatchObject({ added: { sz: sum(left), count: left.length } });
      for (const px of ['100', '101.5', '102', '9007199254740993.5'] as const) {
        const own = left.filter((event) => event.level === px);
        expect(totals.at('B', px).added).toEqual({ sz: sum(own), count: own.length });
      }
      for (const [row, levels] of Object.entries(LEVELS_OF_ROW) as [DecimalString, readonly string[]][]) {
        const own = left.filter((event) => levels.includes(event.level));
        expect(totals.row('B', row, '2').added).toEqual({ sz: sum(own), count: own.length });
        const moved = totals.moved('2').at('B', row);
        expect([moved?.size(['added', 'grown']), moved?.size(['executed'])]).toEqual(
          own.length === 0 ? [undefined, undefined] : [sum(own), '0'],
        );
      }
    }),
  );
});

/** Bids round down to a whole multiple of the tick, which is 2. */
const LEVELS_OF_ROW = { 100: ['100', '101.5'], 102: ['102'], 9007199254740992: ['9007199254740993.5'] };
