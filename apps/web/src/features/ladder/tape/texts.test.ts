import { describe, expect, it } from 'vitest';
import { detailText, heldText, isEmptyLeaving, kindText, newerText, sumText, unseenText, whyText } from './texts.ts';

it('shortens a reason so that it fits beside what happened', () => {
  const reasons = [
    'scheduledCancel',
    'openInterestCapCanceled',
    'siblingFilledCanceled',
    'iocCancelRejected',
    'canceled',
    'filled',
    null,
  ];
  const canceled = { kind: 'canceled', sz: '1', refill: 0 } as const;
  expect(reasons.map((reason) => detailText({ ...canceled, reason }))).toEqual([
    'scheduled',
    'open interest cap',
    'sibling filled',
    'ioc',
    '',
    '',
    '',
  ]);
});

it('does not show an order that left fully executed as an execution of zero', () => {
  const executed = { kind: 'executed', sz: '0.0', reason: 'filled', refill: 0 } as const;
  expect([isEmptyLeaving(executed), detailText(executed)]).toEqual([true, 'in full']);
  const part = { ...executed, sz: '0.00001' } as const;
  expect([isEmptyLeaving(part), detailText({ ...part, refill: 2 })]).toEqual([false, 'refill 2']);
  expect(isEmptyLeaving({ kind: 'canceled', sz: '0' })).toBe(false);
});

it('says of a gap how many blocks were not seen, and where the rebuilt book begins no later than the last one', () => {
  const to = (height: number) =>
    unseenText({ id: 1, from: { height: 100, time: 0 }, to: { height, time: 14_000 }, reason: '' });
  expect([to(347), to(101), to(100), to(60)]).toEqual([
    '247 blocks (14 s) unseen',
    '1 block (14 s) unseen',
    'rebuilt at the same block',
    'rebuilt 40 blocks back',
  ]);
});

it('says how many newer changes wait while the rows are held, and of which block those are', () => {
  expect([newerText(), newerText({ newer: 300, isMore: true })]).toEqual(['held, 0 newer', 'held, 300+ newer']);
  expect([heldText(undefined), heldText({ height: 1_234 })]).toEqual(['', 'held at block 1,234']);
});

it('a sum of executions has a star exactly where some of them are inferred', () => {
  const sum = { sz: '1', count: 2 } as const;
  expect(sumText('executed', sum)).toBe('× executed');
  expect(sumText('executed', { ...sum, inferred: 1 })).toBe('× executed*');
  expect(sumText('canceled', sum)).toBe('− canceled');
});

describe('a row of the tape', () => {
  it('has a star exactly where its kind is inferred', () => {
    expect(kindText('executed', true)).toBe('× executed*');
    expect(kindText('executed', false)).toBe('× executed');
  });

  it('says how an execution is known', () => {
    const executed = { kind: 'executed', inferred: false, reason: null } as const;
    expect(whyText(executed)).toBe("the node's fills confirm it");
    expect(whyText({ ...executed, reason: 'filled' })).toBe('status "filled"');
    expect(whyText({ ...executed, inferred: true })).toBe('inferred: no status or fill confirms it');
    expect(whyText({ ...executed, kind: 'added' })).toBe('');
  });
});
