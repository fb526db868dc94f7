// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { usageSearch } from './search.ts';
import { askedWindow, viewText } from './usage-page.tsx';

const asked = (search: object) => askedWindow(usageSearch.read(search), '2026-11-22');

describe('[USE-4, USE-7] the window of an address', () => {
  it.each([
    [{}, { duration: 1 }, '1'],
    [{ m: '3' }, { duration: 3 }, '3'],
    [{ m: '12' }, { duration: 12 }, '12'],
    [{ m: '7' }, { duration: 1 }, '1'],
    [{ from: '2026-01-15', to: '2026-05-31', m: '3' }, { from: '2026-01-15', to: '2026-05-31' }, undefined],
    [{ from: '2026-11-22', to: '2026-11-22' }, { from: '2026-11-22', to: '2026-11-22' }, undefined],
  ])('%j', (search, ask, period) => {
    expect(asked(search)).toEqual({ ask, period, refused: [] });
  });

  it.each([
    [{ from: '2026-01-15', m: '6' }, ['from=2026-01-15']],
    [{ to: '2026-01-15', m: '6' }, ['to=2026-01-15']],
    [{ from: '2026-05-31', to: '2026-01-15', m: '6' }, ['from=2026-05-31', 'to=2026-01-15']],
    [{ from: '2026-01-15', to: '2027-01-15', m: '6' }, ['from=2026-01-15', 'to=2027-01-15']],
    [{ from: '0001-01-15', to: '2026-01-15', m: '6' }, ['from=0001-01-15', 'to=2026-01-15']],
  ])('[USE-8, USE-16] refuses %j and names its parameters', (search, refused) => {
    expect(asked(search)).toEqual({ ask: { duration: 6 }, period: '6', refused });
  });

  it.each([
    [{}, 'This month'],
    [{ m: '6' }, '6 months'],
    [{ from: '2026-01-15', to: '2026-05-31' }, '2026-01-15 – 2026-05-31'],
    [{ from: '2026-05-31', to: '2026-01-15', m: '12' }, '12 months'],
  ])('names the window of %j %s', (search, text) => {
    expect(viewText(asked(search))).toBe(text);
  });
});
