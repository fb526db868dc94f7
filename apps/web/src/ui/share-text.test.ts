import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharesText, shareText } from './share-text.ts';

describe('share', () => {
  it.each([
    [412, 1_000, '41.2 %'],
    [1, 3, '33.3 %'],
    [0, 5, '0.0 %'],
    [1_003, 1_000, '100.3 %'],
    [9_996, 10_000, '> 99.9 %'],
    [9_994, 10_000, '99.9 %'],
    [4, 10_000, '< 0.1 %'],
    [9_007_199_254_740_991, 9_007_199_254_740_991, '100.0 %'],
    [5, 0, undefined],
  ])('%s of %s', (part, whole, text) => {
    expect(shareText(part, whole)).toBe(text);
  });
});

describe('shares', () => {
  it.each([
    [[1, 1, 1], 3, ['33.4 %', '33.3 %', '33.3 %']],
    [[397_586, 189, 9], 397_784, ['> 99.9 %', '< 0.1 %', '< 0.1 %']],
    [[0, 5], 5, ['0.0 %', '100.0 %']],
    [[5], 0, [undefined]],
  ])('%s of %s', (parts, whole, texts) => {
    expect(sharesText(parts, whole)).toEqual(texts);
  });

  it('add up to 100.0 % for any parts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 40 }), (parts) => {
        const texts = sharesText(
          parts,
          parts.reduce((a, b) => a + b, 0),
        );
        const tenths = texts.map((text = '') => {
          if (text.startsWith('<')) return 0;
          return text.startsWith('>') ? 1_000 : Number(text.replace(/\D/g, ''));
        });
        expect(tenths.reduce((a, b) => a + b, 0)).toBe(1_000);
      }),
    );
  });
});
