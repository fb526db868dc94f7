import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageText,
  clockText,
  columnDecimals,
  counted,
  dayText,
  decimalText,
  grouped,
  isolated,
  momentText,
  padded,
  percentText,
  secondsText,
  shortAddress,
  signedText,
  wholeText,
  zoneText,
} from './format.ts';

const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.option(fc.stringMatching(/^\d{1,12}$/)))
  .map(([whole, fraction]) => (fraction === null ? String(whole) : `${whole}.${fraction}`));

describe('exact values as text', () => {
  it.each([
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['81308.0', '81,308.0'],
    ['1234567.891', '1,234,567.891'],
    ['-1234.5', '-1,234.5'],
    ['-123', '-123'],
  ])('%s is shown as %s', (text, shown) => {
    expect(grouped(text)).toBe(shown);
  });

  it('groups thousands without removing or adding a digit', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const shown = grouped(text);
        expect(shown.replaceAll(',', '')).toBe(text);
        expect(shown.split('.')[0]).toMatch(/^\d{1,3}(,\d{3})*$/);
      }),
    );
  });

  it('pads with zeros after the last digit and changes nothing else', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 14 }), (text, places) => {
        const shown = padded(text, places);
        expect(shown.startsWith(text)).toBe(true);
        expect(shown.slice(text.length)).toMatch(/^\.?0*$/);
        expect((shown.split('.')[1] ?? '').length).toBeGreaterThanOrEqual(places);
      }),
    );
  });

  it('aligns the sizes of a column on their decimal points', () => {
    const sizes: DecimalString[] = ['0.5', '12345.12', '7'];
    expect(sizes.map((size) => decimalText(size, 5))).toEqual(['0.50000', '12,345.12000', '7.00000']);
  });

  it('shows a size with more decimals than the column in full', () => {
    expect(decimalText('0.1234567', 5)).toBe('0.1234567');
  });

  it.each([
    ['0.0000125', '0.00125 %'],
    ['-0.5', '−50 %'],
    ['12.3456', '1,234.56 %'],
    ['0', '0 %'],
    ['0.01', '1 %'],
    ['0.0100', '1.00 %'],
  ] as const)('shows %s as %s: the point moves and no digit is lost', (fraction, shown) => {
    expect(percentText(fraction)).toBe(shown);
  });

  it('gives a column the decimals of its finest value, and always shows the sign', () => {
    expect(columnDecimals(['1', '0.50', '-2.125'])).toBe(3);
    expect(['1.5', '-0.25', '0', '-0.000'].map((text) => signedText(text as DecimalString, 2))).toEqual([
      '+1.50',
      '−0.25',
      '0.00',
      '−0.000',
    ]);
  });

  it('pluralises the noun for a count', () => {
    expect([counted(1, 'order'), counted(4468, 'order'), wholeText(985148232)]).toEqual([
      '1 order',
      '4,468 orders',
      '985,148,232',
    ]);
  });
});

describe('times', () => {
  it.each([
    [-5, '0 ms'],
    [62.4, '62 ms'],
    [999, '999 ms'],
    [12_900, '12 s'],
    [185_000, '3 m'],
    [7_500_000, '2 h 05 m'],
    [270_000_000, '3 d 03 h'],
  ])('shows an age of %d ms as %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });

  it('counts whole seconds for a ticking clock', () => {
    expect([secondsText(-1), secondsText(900), secondsText(61_000)]).toEqual(['0 s', '0 s', '1 m']);
  });

  it('[DEC-4] adds the zone to a moment', () => {
    const at = Date.UTC(2026, 4, 5, 14, 2, 11, 402);
    expect(momentText(at, 'utc')).toBe('2026-05-05 14:02:11.402 UTC');
    expect(clockText(at, 'utc')).toBe('14:02:11.402');
    expect(dayText(at, 'utc')).toBe('2026-05-05');
    const local = new Date(at);
    expect(clockText(at, 'local')).toBe(
      [local.getHours(), local.getMinutes(), local.getSeconds()]
        .map((part) => String(part).padStart(2, '0'))
        .join(':') + '.402',
    );
    expect(zoneText('local', at)).toMatch(/^[+−]\d\d:\d\d$/);
  });
});

it('shortens a wallet address to its ends', () => {
  expect(shortAddress('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5')).toBe('0x5eaa…4bd5');
});

it('a name of any direction leaves what is beside it as it is', () => {
  expect(isolated('Maker 7')).toBe('Maker 7');
  expect(isolated('中文 🚀')).toBe('中文 🚀');
  // What gives an emoji its colours does not turn it.
  expect(isolated('❤\ufe0f desk')).toBe('❤\ufe0f desk');
  expect(isolated('עברית 7')).toBe('\u2068עברית 7\u2069');
  // Presentation forms of both blocks.
  expect(isolated('\ufb2a 7')).toBe('\u2068\ufb2a 7\u2069');
  expect(isolated('\ufdf2 7')).toBe('\u2068\ufdf2 7\u2069');
  expect(isolated('\ufefc 7')).toBe('\u2068\ufefc 7\u2069');
  // Scripts beyond the first plane: Phoenician, Mende Kikakui, Adlam. Those around them are written from left to right.
  for (const name of ['\u{10900} 7', '\u{1e800} 7', '\u{1e922} 7']) expect(isolated(name)).toBe(`\u2068${name}\u2069`);
  for (const name of ['\u{10400} 7', '\u{11005} 7', '\u{1e100} 7', '\u{1f680} 7']) expect(isolated(name)).toBe(name);
  expect(isolated('desk\u200f')).toBe('\u2068desk\u200f\u2069');
  for (const turn of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(isolated(`${turn}desk${turn}`)).toBe('\u2068desk\u2069');
  expect(isolated('\u202edesk\u2069')).toBe('\u2068desk\u2069');
});
