import { describe, expect, it } from 'vitest';
import { theme as names } from '../../../test-support/canvas.ts';
import { type CanvasTheme, faded } from './theme.ts';

const side = { text: '#35bfa9', mark: '#269282', tail: '#17423f', depth: '#10201f', striped: false };
const theme: CanvasTheme = {
  ...names,
  surface: '#0c0f14',
  hover: '#181d26',
  selected: '#1a2a45',
  line: '#262d39',
  text: '#ccd2dc',
  strong: '#ffffff',
  dim: '#8d97a8',
  accent: '#7cb0ff',
  bid: side,
  wallets: {
    grey: '#97a1b2',
    blue: '#7cb0ff',
    orange: '#f0a04b',
    green: '#45bd7f',
    magenta: '#e07ad8',
    yellow: '#d9c04a',
  },
  ask: { ...side, text: '#f28b75', striped: true },
};

describe('the faded theme', () => {
  it('has no colour left, and is fainter than the theme', () => {
    const { bid, ask, numberFont, smallFont, priceFont, headingFont, wallets, ...rest } = faded(theme);
    const { striped: _, ...bidColors } = bid;
    const colors = [...Object.values(rest), ...Object.values(wallets), ...Object.values(bidColors), ask.text];
    for (const color of colors) expect(color).toMatch(/^#([\da-f]{2})\1\1$/);
    expect(Number.parseInt(rest.strong.slice(1, 3), 16)).toBeLessThan(0xff);
    expect(Number.parseInt(rest.strong.slice(1, 3), 16)).toBeGreaterThan(0xc0);
    expect([numberFont, smallFont, priceFont, headingFont]).toEqual([
      theme.numberFont,
      theme.smallFont,
      theme.priceFont,
      theme.headingFont,
    ]);
  });

  it('keeps properties other than colour: the hatching of a side', () => {
    expect(faded(theme).ask.striped).toBe(true);
  });

  it('leaves a colour unchanged that is not six digits', () => {
    expect(faded(names).bid.text).toBe('bid-text');
  });
});
