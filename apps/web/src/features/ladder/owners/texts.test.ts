import { describe, expect, it } from 'vitest';
import { leanText, shareText } from './texts.ts';

describe('texts of the owners pane', () => {
  it('rounds a share half up to a tenth of a percent', () => {
    expect(shareText('0.265226')).toBe('26.5 %');
    expect(shareText('0.000500')).toBe('0.1 %');
    expect(shareText('1.000000')).toBe('100.0 %');
  });

  it('always shows the sign of an imbalance, and none for zero', () => {
    expect(leanText('0.305000')).toBe('+0.31');
    expect(leanText('-1.000000')).toBe('−1.00');
    expect(leanText('-0.000400')).toBe('0.00');
    expect(leanText('0.000000')).toBe('0.00');
    expect(leanText(null)).toBe('—');
  });
});
