import { expect, it } from 'vitest';
import { midMove } from './pane-message.tsx';

const at = (bid: string, ask: string) => ({ bid, ask }) as { bid: '1'; ask: '1' };

it.each([
  [at('100', '101'), at('100', '101'), '1', 'mid unchanged'],
  [at('100', '101'), at('104', '105'), '1', 'mid +4 ticks, +390.24 bps'],
  [at('1000.0', '1000.5'), at('999.5', '1000.5'), '0.5', 'mid −0.5 ticks, −2.50 bps'],
  [at('81307', '81308'), at('81310.5', '81311.5'), '0.1', 'mid +35 ticks, +0.43 bps'],
] as const)('describes the mid that moved from %o to %o by the tick %s as %s', (from, to, tick, text) => {
  expect(midMove(from, to, tick)).toBe(text);
});

it('says the mid is unknown for a book that lacks a side', () => {
  expect(midMove({ bid: undefined, ask: '1' }, at('1', '2'), '1')).toBe('mid unknown');
});
