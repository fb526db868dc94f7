// @vitest-environment happy-dom

import { describe, expect, it } from 'vitest';
import { refusedChoices } from './entries-panel.tsx';
import type { CoinLoad } from './loads.ts';
import { hourly, periodOfHours, START } from './test-support/rates.ts';

const WINDOW = periodOfHours(3);

const load = (kind: 'whole' | 'loading'): CoinLoad => ({
  kind,
  period: WINDOW,
  entries: hourly(['1', '2']),
  credits: 1,
  progress: 1,
  next: WINDOW.to + 1,
  at: WINDOW.to,
  older: undefined,
});

describe('refusedChoices: parameters that refer to nothing', () => {
  it.each([
    ['a part before the period', { zoom: `0-${START}` }, true],
    ['a part of it', { zoom: `0-${START + 1}` }, false],
    ['a column there is', { sort: '-rate' }, false],
    ['a column there is not', { sort: 'nope' }, true],
    ['an entry there is', { row: `BTC.${START}` }, false],
    ['an entry there is not', { row: 'BTC.1' }, true],
    ['an entry of another coin', { row: `ETH.${START}` }, true],
    ['nothing', {}, false],
  ])('%s', (_, asked, isRefused) => {
    const written = Object.entries(asked).map(([name, text]) => `${name}=${text}`);
    expect(refusedChoices(asked, WINDOW, [{ coin: 'BTC', load: load('whole') }])).toEqual(isRefused ? written : []);
  });

  it('accepts an entry while its coin is still loading', () => {
    const row = 'BTC.1';
    expect(refusedChoices({ row }, WINDOW, [{ coin: 'BTC', load: load('loading') }])).toEqual([]);
    expect(refusedChoices({ row }, WINDOW, [{ coin: 'BTC', load: undefined }])).toEqual([]);
  });
});
