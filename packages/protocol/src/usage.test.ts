import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDay } from './calendar.ts';
import { decodeUsageQuery, type UsageWindow, usageDays } from './usage.ts';

const TODAY = '2026-05-31';

function window(query: object, today = TODAY) {
  const decoded = decodeUsageQuery(query, today);
  return decoded.kind === 'window' ? [decoded.window.from, decoded.window.to] : decoded;
}

describe('decodeUsageQuery', () => {
  it('returns the current month so far without parameters and with duration 1', () => {
    expect(window({})).toEqual(['2026-05-01', TODAY]);
    expect(window({ duration: '1' })).toEqual(['2026-05-01', TODAY]);
    expect(window({}, '2026-05-01')).toEqual(['2026-05-01', '2026-05-01']);
  });

  it('[USE-6] goes back that many months for 3, 6 and 12, clamped to the last day of the month', () => {
    expect(window({ duration: '3' })).toEqual(['2026-02-28', TODAY]);
    expect(window({ duration: '6' })).toEqual(['2025-11-30', TODAY]);
    expect(window({ duration: '12' })).toEqual(['2025-05-31', TODAY]);
    expect(window({ duration: '12' }, '2024-02-29')).toEqual(['2023-02-28', '2024-02-29']);
  });

  it('returns the window of from and to, and ignores duration, even an invalid one', () => {
    for (const duration of [undefined, '3', '7', 'x', ['1', '3']]) {
      expect(window({ from: '2026-01-15', to: '2026-05-31', duration })).toEqual(['2026-01-15', '2026-05-31']);
    }
    expect(window({ from: TODAY, to: TODAY })).toEqual([TODAY, TODAY]);
  });

  it.each([
    ['duration', { duration: '2' }],
    ['duration', { duration: '0' }],
    ['duration', { duration: '' }],
    ['duration', { duration: '01' }],
    ['duration', { duration: '3.0' }],
    ['duration', { duration: ['3'] }],
    ['to', { from: '2026-05-01' }],
    ['to', { from: '2026-05-01', duration: '3' }],
    ['from', { to: '2026-05-01' }],
    ['from', { from: '2026-02-29', to: '2026-05-01' }],
    ['from', { from: '', to: '2026-05-01' }],
    ['from', { from: ['2026-05-01', '2026-05-02'], to: '2026-05-01' }],
    ['to', { from: '2026-05-01', to: '2026-5-2' }],
    ['to', { from: '2026-05-01', to: '2026-06-01' }],
    ['from', { from: '2026-05-02', to: '2026-05-01' }],
  ])('rejects %s in %j', (path, query) => {
    expect(decodeUsageQuery(query, TODAY)).toMatchObject({ kind: 'refused', path });
  });

  it('[USE-16] accepts a window of up to ten years', () => {
    expect(window({ from: '2016-05-31', to: TODAY })).toEqual(['2016-05-31', TODAY]);
    expect(decodeUsageQuery({ from: '2016-05-30', to: TODAY }, TODAY)).toMatchObject({ kind: 'refused', path: 'from' });
    expect(decodeUsageQuery({ from: '0001-01-01', to: TODAY }, TODAY)).toMatchObject({ kind: 'refused', path: 'from' });
  });

  it('returns a result for any parameters, with every window within existing days up to today', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('1', '3', '6', '12', '2026-05-01', '2026-05-31', '2026-06-01', '2025-02-29', undefined),
      fc.array(fc.string()),
    );
    fc.assert(
      fc.property(fc.record({ duration: text, from: text, to: text }), (query) => {
        const decoded = decodeUsageQuery(query, TODAY);
        expect(decoded.kind === 'refused' ? decoded.problem : isWindow(decoded.window)).toSatisfy(
          (outcome: string | boolean) => outcome === true || /^(?:is|must) /.test(String(outcome)),
        );
      }),
    );
  });

  it('usageDays returns every day of the window, oldest first', () => {
    const days = usageDays({ from: '2026-02-27', to: '2026-03-02' });
    expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  });
});

function isWindow({ from, to }: UsageWindow): boolean {
  return isDay(from) && isDay(to) && from <= to && to <= TODAY;
}
