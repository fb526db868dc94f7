import { INFO_KINDS } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { responseBytesMax } from './response-limits.ts';
import { ResponseMemory } from './response-memory.ts';

it('[UP-28] limits each response', () => {
  const memory = new ResponseMemory(1_000_000);
  const hold = memory.hold(1000);
  expect([hold.add(600), hold.add(600)]).toEqual(['held', 'too-large']);
  expect(memory.hold(1000).add(1000)).toBe('held');
  expect(memory.hold(1000).add(1001)).toBe('too-large');
});

it('[UP-28] counts more than the bytes of a response in many small chunks', () => {
  const hold = new ResponseMemory(1_000_000).hold(10_000);
  let pieces = 0;
  while (hold.add(1) === 'held') pieces += 1;
  expect(pieces).toBeLessThan(100);
});

it('[UP-29] limits all responses together, and makes released memory available to others', () => {
  const memory = new ResponseMemory(2500);
  const [first, second] = [memory.hold(2000), memory.hold(2000)];
  expect([first.add(1500), second.add(1500), second.add(500)]).toEqual(['held', 'no-room', 'held']);
  first.release();
  first.release();
  expect(second.add(1000)).toBe('held');
  second.release();
  expect(memory.bytes).toBe(0);
});

it('[UP-28] has a limit for every upstream kind', () => {
  for (const kind of Object.keys(INFO_KINDS)) expect(responseBytesMax(kind)).toBeGreaterThanOrEqual(64 * 1024);
  expect(responseBytesMax('openOrders')).toBe(4 * 1024 * 1024);
  expect(responseBytesMax('a kind of tomorrow')).toBe(4 * 1024 * 1024);
});
