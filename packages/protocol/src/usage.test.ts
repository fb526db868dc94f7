import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDay } from './calendar.ts';
import { decodeUsageQuery, type UsageWindow } from './usage.ts';

const TODAY = '2026-05-31';

function window(query: object, today = TODAY) {
  const decoded = decodeUsageQuery(query, today);
  return decoded.kind === 'window' ? [decoded.window.from, decoded.window.to] : decoded;
}

describe('decodeUsageQuery', () => {
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
});

function isWindow({ from, to }: UsageWindow): boolean {
  return isDay(from) && isDay(to) && from <= to && to <= TODAY;
}
