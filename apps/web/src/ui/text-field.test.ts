import { describe, expect, it } from 'vitest';
import { readAmount } from './text-field.tsx';

describe('a typed amount', () => {
  it.each([
    ['0', '0'],
    ['1250.50', '1250.50'],
    ['1,250.50', '1250.50'],
    ['12,345,678', '12345678'],
    ['12 345 678', '12345678'],
    ['1\u202f250.50', '1250.50'],
    ['1’250.50', '1250.50'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['１，２５０．５', '1250.5'],
  ])('%j is %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it.each([
    '1,5',
    '1500,50',
    '1,00',
    ',5',
    '1,2345',
    '1,,000',
    '1,234 567',
    '12 34',
    '1.5,000',
    '12,34,567',
    '0,5',
    '0,123',
    '0,500',
    '00,250',
    '',
    '.',
    '-5',
    '+5',
    '1e3',
    '5²',
  ])('%j is an error', (text) => {
    expect(readAmount(text)).toBeUndefined();
  });
});
