import type { FundingEntry } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { render } from '../../test-support/render.ts';
import { csvOf } from '../../ui/export/csv.ts';
import { copiedText } from '../../ui/table/table-column.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { chartRows } from './chart-rows.ts';
import { type History, historyOf } from './entries.ts';
import { EXPORT_COLUMNS, makeColumns, rowsOf } from './entries-panel.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';
import { hourly, periodOfHours } from './test-support/rates.ts';
import { unreportedText } from './texts.ts';

const WINDOW = periodOfHours(4);

/** Entries as the exchange reports them, with these premiums. */
function historyWith(premiums: readonly string[], coin = 'STRAX'): History {
  const entries: FundingEntry[] = hourly(['0.1', '0.2', '0.3', '0.4']).map((entry, at) => ({
    ...entry,
    coin,
    premium: premiums[at] ?? 'NaN',
  }));
  return historyOf(coin, entries, WINDOW, WINDOW);
}

const SOME = historyWith(['-0.001', 'NaN', '0.004', 'NaN']);
const NONE = historyWith([], 'OX');

it('an entry without a rate is missing, and its neighbours are shown', () => {
  const [first, second, third, last] = hourly(['0.1', '0.2', '0.3', '0.4']);
  if (!first || !second || !third || !last) throw new Error('no entries');
  const odd = [first, { ...second, fundingRate: 'NaN' }, { ...third, fundingRate: null, premium: null }, last];
  const history = historyOf('STRAX', odd, WINDOW, WINDOW);
  expect(history.entries.map(({ fundingRate }) => fundingRate)).toEqual(['0.1', '0.4']);
  expect(history.entries.at(-1)?.cumulative).toBe(5n * 10n ** 17n);
});

describe('[WEB-16] a premium reported without a number', () => {
  it('is left out of the mean, and the statistics count such premiums', async () => {
    const { container } = await render(<StatisticsPanel histories={[SOME, NONE]} unit="interval" />);
    const last = (coin: string) => container.querySelector(`tr[data-coin="${coin}"] td:last-child`)?.textContent;
    expect(last('STRAX')).toBe('+0.1500000000 %2 of 4 not reported');
    expect(last('OX')).toBe('4 of 4 not reported');
    // All rates are present.
    expect(container.querySelector('tr[data-coin="OX"] td')?.textContent).toBe('4');
  });

  it.each([false, true])('is sorted last, descending: %s', (descending) => {
    const premiums = rowsOf([SOME, NONE], { column: 'premium', descending }).map(({ entry }) => entry.premium);
    const known = descending ? ['0.004', '-0.001'] : ['-0.001', '0.004'];
    expect(premiums).toEqual([...known, ...Array.from({ length: 6 }, () => undefined)]);
  });

  it('is an empty cell of an export', () => {
    const [heading = '', ...lines] = csvOf(EXPORT_COLUMNS, rowsOf([SOME], undefined))
      .trim()
      .split('\r\n');
    const at = heading.split(',').indexOf('premium');
    expect(lines.map((line) => line.split(',')[at])).toEqual(['', '0.004', '', '-0.001']);
  });

  it('is a gap in the line of its pane', () => {
    const rows = chartRows([SOME, NONE], 'premium', WINDOW);
    const drawn = (letter: string) => rows.flatMap((row) => row[letter] ?? []);
    expect(new Set(drawn('A'))).toEqual(new Set([-0.1, 0.4]));
    expect(drawn('B')).toEqual([]);
    expect(unreportedText(NONE)).toBe('4 of 4 not reported');
  });
});

it('the entries are copied without being rendered', () => {
  const time: TimeTexts = { zone: 'utc', day: String, clock: String, second: String, moment: String, zoneAt: String };
  const columns = makeColumns([SOME], time).slice(0, 4);
  const lines = rowsOf([SOME], undefined).map((row) => columns.map((column) => copiedText(column, row)));
  expect(lines.map(([at, coin]) => [at, coin])).toEqual(
    SOME.entries.toReversed().map(({ time: at }) => [String(at), 'STRAX']),
  );
  expect(lines.map(([, , , premium]) => premium)).toEqual(['', expect.stringContaining('0.4'), '', expect.anything()]);
});
