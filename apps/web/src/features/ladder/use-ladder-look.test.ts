import { expect, it } from 'vitest';
import { searchTextOf } from '../../state/page-search.ts';
import { readPreferences } from '../../state/preferences.ts';
import { ladderSearch } from './search.ts';
import { lookChoices, lookOf } from './use-ladder-look.ts';

const { layout, ...kept } = readPreferences({}).ladder;

const other: typeof kept = {
  count: false,
  cumulative: false,
  notional: 'cumulative',
  flow: false,
  lane: false,
  large: '2.5',
  bars: 'log',
  map: false,
};

it.each([
  ['as they are at first', kept],
  ['all of them different', other],
])('the URL carries all choices of how the ladder is drawn: %s', (_, look) => {
  const texts = Object.entries(lookChoices(look)).map(([name, value]) => [name, searchTextOf(value)]);
  const choices = ladderSearch.read(Object.fromEntries(texts));
  for (const remembered of [kept, other]) {
    expect(lookOf(choices, { layout, ...remembered })).toEqual({ layout, ...look });
  }
});

it('without a choice in the URL it is drawn as last used, and a change writes only itself', () => {
  expect(lookOf({}, { layout, ...other })).toEqual({ layout, ...other });
  expect(lookChoices({ count: false })).toEqual({ n: '0' });
});

it('what older versions remembered of the columns of what moved is read, and so are their addresses', () => {
  const remembered = (flow: unknown) => readPreferences({ ladder: { flow } }).ladder.flow;
  expect([true, false, ['executed'], [], 7].map(remembered)).toEqual([true, false, true, false, true]);
  const addressed = (flow: string) => lookOf(ladderSearch.read({ flow, span: '60' }), { layout, ...kept }).flow;
  expect(['came,withdrawn', 'executed', 'none', '0', '1'].map(addressed)).toEqual([true, true, false, false, true]);
  expect(ladderSearch.invalid({ flow: 'added,requotedIn', span: '60' })).toEqual([]);
});
