import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf, type ExportColumn, exportFileName, jsonOf } from './csv.ts';

interface Row {
  readonly label: string;
  readonly size: string;
  readonly oid: number | string;
  readonly at: number | null;
}

const COLUMNS: readonly ExportColumn<Row>[] = [
  { name: 'label', text: (row) => row.label },
  { name: 'size', value: (row) => row.size as `${number}` },
  { name: 'oid', id: (row) => row.oid },
  { name: 'time', moment: (row) => row.at },
];

/** Reads RFC 4180. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quotedCell, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quotedCell?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const rows = fc.record({
  label: fc.oneof(
    fc.string(),
    fc.constantFrom(
      '=1+1',
      '+A1',
      '-2',
      '@SUM',
      '\t=1',
      ' =1',
      '＝1+1',
      ' ＋A1',
      '－2',
      '＠SUM',
      'a,b',
      'a"b',
      'a\r\nb',
    ),
  ),
  size: fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{1,18}$/))
    .map((parts) => parts.join('.')),
  oid: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String), fc.constantFrom('0x1e5', '1e5', '007')),
  at: fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 })),
});

describe('a CSV export', () => {
  it('keeps every digit, id and text, and starts no formula', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 5 }), (given) => {
        const [heading, ...lines] = parsed(csvOf(COLUMNS, given));
        expect(heading).toEqual(['label', 'size', 'oid', 'time', 'time_ms']);
        expect(lines).toHaveLength(given.length);
        for (const [at, [label = '', size = '', oid = '', time, ms]] of lines.entries()) {
          const row = given[at];
          expect([row?.label, `'${row?.label}`]).toContain(label);
          expect(label).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
          expect(size).toBe(row?.size);
          expect(oid.replace(/^'/, '')).toBe(String(row?.oid));
          expect(!/^\d/.test(oid) || oid.startsWith('0x') || /^(0|[1-9]\d{0,14})$/.test(oid)).toBe(true);
          expect([time, ms]).toEqual(
            row === undefined || row.at === null ? ['', ''] : [new Date(row.at).toISOString(), String(row.at)],
          );
        }
      }),
    );
  });

  it('writes a negative decimal as a number', () => {
    const csv = csvOf([{ name: 'x', value: () => '-0.0000125' }], [1]);
    expect(csv).toBe('x\r\n-0.0000125\r\n');
  });
});

it('writes decimals and ids as texts and counts as numbers, and describes itself, as JSON', () => {
  const columns: ExportColumn<number>[] = [
    { name: 'size', value: () => '1.50' },
    { name: 'oid', id: () => 12 },
    { name: 'n', value: () => 3 },
    { name: 'open', value: () => true },
    { name: 'cloid', text: () => null },
    { name: 'time', moment: () => 0 },
  ];
  expect(JSON.parse(jsonOf(columns, [1], { wallet: '0x1' }))).toEqual({
    wallet: '0x1',
    rows: [{ size: '1.50', oid: '12', n: 3, open: true, cloid: null, time: '1970-01-01T00:00:00.000Z', time_ms: 0 }],
  });
});

it('names a file after its content and time', () => {
  expect(exportFileName(['orders', '0xab/..\\x'], new Date(0), 'csv')).toBe(
    'l4desk-orders-0xab-..-x-19700101T000000Z.csv',
  );
});
