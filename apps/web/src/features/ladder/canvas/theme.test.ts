import { expect, it } from 'vitest';
import { theme } from '../../../test-support/canvas.ts';
import { faded } from './theme.ts';

const side = { text: '#35bfa9', mark: '#269282', tail: '#17423f', depth: '#10201f', striped: true };

it('a book that is not proven has no colour, is fainter on the same surface, and stays striped', () => {
  const { bid, ask, strong, accent, surface, numberFont } = faded({
    ...theme,
    surface: '#0c0f14',
    strong: '#ffffff',
    accent: '#7cb0ff',
    bid: side,
    ask: { ...side, text: '#f28b75' },
  });
  const { striped, ...colours } = bid;
  for (const colour of [...Object.values(colours), ask.text, strong, accent, surface])
    expect(colour).toMatch(/^#([\da-f]{2})\1\1$/);
  expect(Number.parseInt(strong.slice(1, 3), 16)).toBeLessThan(0xff);
  expect(Number.parseInt(strong.slice(1, 3), 16)).toBeGreaterThan(0xc0);
  expect([striped, numberFont]).toEqual([true, theme.numberFont]);
});
