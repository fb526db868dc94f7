import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FundingEntry } from '@l4desk/protocol';
import { recordedData } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { only, render } from '../../test-support/render.ts';
import { CarryPanel } from './carry-panel.tsx';
import { chartRows } from './chart-rows.ts';
import { CompletenessStrip } from './chart-section.tsx';
import { entryAt, historyOf, piecesOf } from './entries.ts';
import { HoursPanel } from './hours-panel.tsx';
import { HOUR_MS, missingOf } from './interval.ts';
import { rateIn } from './rates.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { decimalOf } from './test-support/rates.ts';
import { measuredText, receivedText } from './texts.ts';

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Every 8 h until 20 May 2023, every hour since, as BTC has it at the exchange some weeks later. */
const FIRST = Date.UTC(2023, 4, 1);
const CHANGE = Date.UTC(2023, 4, 20);
const END = Date.UTC(2023, 4, 25);
const entriesFrom = (from: number, to: number, interval: number, rate: string): readonly FundingEntry[] =>
  Array.from({ length: (to - from) / interval }, (_, at) => ({
    coin: 'BTC',
    fundingRate: decimalOf(rate),
    premium: decimalOf('0.0'),
    time: from + at * interval + ((at * 37) % 90),
  }));
const ENTRIES = [
  ...entriesFrom(FIRST, CHANGE + 8 * HOUR_MS, 8 * HOUR_MS, '0.0001'),
  ...entriesFrom(CHANGE + HOUR_MS, END, HOUR_MS, '0.0000125'),
];
const PERIOD = { from: FIRST, to: END - 1 };
const history = historyOf('BTC', ENTRIES, PERIOD, PERIOD);

/** The recorded history, or one of the same shape if the recordings are not available. */
function recordedHistory(): readonly FundingEntry[] {
  const folder = recordedData('info');
  if (folder === undefined) {
    const first = Date.UTC(2023, 4, 12);
    const change = first + 81 * 8 * HOUR_MS;
    const [old, now] = [
      entriesFrom(first, change + 8 * HOUR_MS, 8 * HOUR_MS, '0.0001'),
      entriesFrom(change + HOUR_MS, change + 958 * HOUR_MS, HOUR_MS, '0.0000125'),
    ];
    return [...old, ...now.toSpliced(596, 1)];
  }
  const file = join(folder, 'fundingHistory__test_get_funding_history_None___1.json');
  const { response } = JSON.parse(readFileSync(file, 'utf8')) as { readonly response: readonly FundingEntry[] };
  return response;
}

const rowsOf = (container: HTMLElement) =>
  [...container.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent.trim()),
  );

describe('[FUND-20] a coin whose interval changes from 8 h to 1 h misses nothing', () => {
  it('and the change is printed with its date', () => {
    expect(missingOf(history.completeness)).toBe(0);
    expect(measuredText(history.completeness, day)).toBe(
      '1 h interval since 2023-05-20, 8,760 a year; 8 h until 2023-05-20, no gaps',
    );
    expect(receivedText(history)).toBe('177 received, 0 missing, 0 duplicates');
  });

  it('also in a view that begins shortly before the change, or has no other interval', () => {
    const near = historyOf('BTC', ENTRIES, { from: CHANGE - 9 * HOUR_MS, to: CHANGE + 3 * HOUR_MS }, PERIOD);
    expect(missingOf(near.completeness)).toBe(0);
    expect(near.completeness.pieces.map(({ interval }) => interval / HOUR_MS)).toEqual([8, 1]);
    const old = historyOf('BTC', ENTRIES, { from: FIRST, to: CHANGE - HOUR_MS }, PERIOD);
    expect(measuredText(old.completeness, day)).toBe('8 h interval, 1,095 a year; no gaps');
  });

  it('in the recorded history of BTC, with its one lost hour', () => {
    const recorded = recordedHistory();
    const period = { from: recorded[0]?.time ?? 0, to: recorded.at(-1)?.time ?? 0 };
    const { completeness } = historyOf('BTC', recorded, period, period);
    expect(completeness.pieces.map(({ interval }) => interval / HOUR_MS)).toEqual([8, 1]);
    expect(completeness).toMatchObject({ received: 1_038, offBeat: 0, duplicates: [] });
    expect(missingOf(completeness)).toBe(1);
    expect(measuredText(completeness, day)).toBe(
      '1 h interval since 2023-06-08, 8,760 a year; 8 h until 2023-06-08, 1 gap',
    );
  });
});

describe('[FUND-21] old rates are annualised with the old interval', () => {
  it('10.95 % a year before the change and after it', () => {
    const yearly = history.entries.map(({ fundingRate, interval }) => rateIn('simple', fundingRate, interval));
    expect(new Set(yearly)).toEqual(new Set(['0.1095']));
  });

  it('in statistics and hours of the day, in a row for each interval, and in the sum of the carry', async () => {
    const { container, rerender } = await render(<StatisticsPanel histories={[history]} unit="simple" />);
    const [old, now] = rowsOf(container);
    expect(old?.slice(0, 3)).toEqual(['A BTC 8 h until 2023-05-20', '58', '+10.95 %']);
    expect(now?.slice(0, 3)).toEqual(['A BTC 1 h since 2023-05-20', '119', '+10.95 %']);
    await rerender(<HoursPanel histories={[history]} />);
    const hours = rowsOf(container);
    expect(hours.map(([name]) => name)).toEqual(['A BTC 8 h until 2023-05-20', 'A BTC 1 h since 2023-05-20']);
    expect(hours.map((cells) => cells.filter((cell) => /\d/.test(cell)).length - 1)).toEqual([3, 24]);
    await rerender(
      <CarryPanel
        histories={[history]}
        notional={decimalOf('1')}
        side="short"
        onNotional={() => {}}
        onSide={() => {}}
      />,
    );
    // 58 × 0.0001 + 119 × 0.0000125
    expect(rowsOf(container)[0]).toEqual(['A BTC', '177', '0', '+0.72875 %', '+0.0072875', 'received']);
  });

  it('and the mean of a year has no digit of a mean that was rounded before', async () => {
    const rates = ['0.0001', '0.0001', '0.0002'];
    const entries = rates.flatMap((rate, at) =>
      entriesFrom(FIRST + at * 8 * HOUR_MS, FIRST + (at + 1) * 8 * HOUR_MS, 8 * HOUR_MS, rate),
    );
    const uneven = historyOf('BTC', entries, PERIOD, PERIOD);
    const { container } = await render(<StatisticsPanel histories={[uneven]} unit="simple" />);
    expect(rowsOf(container)[0]?.[2]).toBe('+14.6 %');
  });

  it('and a line over the whole period does not fall where the interval changes', () => {
    const rows = chartRows([history], 'simple', PERIOD);
    expect(new Set(rows.map(({ A }) => A?.toString().slice(0, 5)))).toEqual(new Set(['10.95']));
  });

  it('and a rate applies for the interval of its own time', () => {
    expect(entryAt(history, CHANGE - 15 * HOUR_MS)?.time).toBeCloseTo(CHANGE - 8 * HOUR_MS, -4);
    expect(entryAt(history, CHANGE + 3.5 * HOUR_MS)?.time).toBeCloseTo(CHANGE + 4 * HOUR_MS, -4);
    expect(piecesOf(history).map(({ counted }) => counted.length)).toEqual([58, 119]);
  });
});

it('[FUND-22] hours before a coin’s first entry are not listed yet, in the text and in the strip', async () => {
  const early = { from: FIRST - 80 * HOUR_MS, to: END - 1 };
  const young = historyOf('BTC', ENTRIES, early, early);
  expect(receivedText(young)).toBe('177 received, 0 missing, 0 duplicates, 10 not listed yet');
  const { container } = await render(<CompletenessStrip history={young} />);
  expect(only(container, '[data-unlisted]').getAttribute('x1')).toBe('0');
  expect(container.querySelectorAll('g')).toHaveLength(0);
  // Entries before the part in view are known: what is missing there is missing.
  const view = historyOf('BTC', ENTRIES.toSpliced(30, 3), { from: FIRST + 30 * 8 * HOUR_MS, to: END }, PERIOD);
  expect(receivedText(view)).toContain('3 missing');
});
