import { describe, expect, it } from 'vitest';
import type { QueueLife } from '../../../book-worker/panes/queues.ts';
import { leftText, lifeLines } from './queue-life-panel.tsx';

describe('what happened to a queue', () => {
  const part = (orders: number, sz: QueueLife['sz']) => ({ orders, sz });
  const life: QueueLife = {
    oid: 1,
    user: '0x0000000000000000000000000000000000000001',
    side: 'B',
    px: '100',
    sz: '1',
    joined: true,
    since: { height: 1, time: 1 },
    aheadAtFirst: part(9, '12.4'),
    ahead: part(4, '4.28'),
    executed: part(2, '3.1'),
    canceled: part(3, '5.02'),
    shrunk: '0',
    grown: '0',
    insertedAhead: part(0, '0'),
    joinedBehind: part(1, '2'),
    ownExecuted: '0',
    inferred: true,
    level: part(6, '7.28'),
  };

  it('is listed in lines that add up, without rare terms that are zero', () => {
    expect(lifeLines(life, 2).map(({ sign, name, sz, orders }) => `${sign}${name} ${sz} ${orders}`)).toEqual([
      'ahead when it joined 12.40 9',
      '−executed* 3.10 2',
      '−canceled 5.02 3',
      '−shrunk 0.00 ',
      '=still ahead 4.28 4',
    ]);
  });

  it('says since when it is watched for an order that was already there', () => {
    expect(lifeLines({ ...life, joined: false }, 0)[0]?.name).toBe('ahead when first watched');
  });

  it('has a star at executions exactly when some of them are inferred', () => {
    const names = (inferred: boolean) => lifeLines({ ...life, inferred }, 2).map(({ name }) => name);
    expect(names(true)).toContain('executed*');
    expect(names(false)).toContain('executed');
  });

  it('says how an order left, and where it moved', () => {
    const left = { oid: 1, height: 1_234, time: 1, kind: 'executed', inferred: true, other: null } as const;
    expect(leftText(left, true)).toBe('executed* at block 1,234; last known values');
    const moved = { ...left, kind: 'requotedOut', inferred: false, other: { oid: 2, px: '81310' } } as const;
    expect(leftText(moved, true)).toBe('moved to 81,310 at block 1,234; last known values');
    expect(leftText(undefined, true)).toBe('no longer in the book; last known values');
    expect(leftText(left, false)).toBe('executed* at block 1,234');
  });
});
