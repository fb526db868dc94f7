import { expect, it } from 'vitest';
import { type UsdcProps, usdcText } from './usdc.tsx';

it.each<[string, UsdcProps]>([
  ['1,234.57', { value: '1234.565' }],
  ['≥ 1,234.57', { value: '1234.565', isPartial: true }],
  ['~ -1.00', { value: '-1', isSigned: true, isPartial: true }],
  ['0.00', { value: '0' }],
  ['?', { value: '0.0', isPartial: true }],
])('an amount is %s', (text, amount) => {
  expect(usdcText(amount).replace('−', '-')).toBe(text);
});
