import { expect, it } from 'vitest';
import { searchTextOf } from '../../state/page-search.ts';
import { readPreferences } from '../../state/preferences.ts';
import { ladderSearch } from './search.ts';
import { lookChoices, lookOf, withFlowColumn } from './use-ladder-look.ts';

const { layout, ...kept } = readPreferences({}).ladder;

const other: typeof kept = {
  count: false,
  cumulative: false,
  notional: 'cumulative',
  flow: ['added', 'executed', 'requotedOut'],
  flowSpan: '60',
  lane: false,
  large: '2.5',
  bars: 'log',
  map: false,
};

it.each([
  ['as they are at first', kept],
  ['all of them different', other],
  ['without columns of what moved', { ...other, flow: [] }],
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
  expect(lookChoices({ flow: withFlowColumn(['withdrawn', 'came'], 'executed', true) })).toEqual({
    flow: ['came', 'withdrawn', 'executed'],
  });
  expect(withFlowColumn(['came'], 'came', false)).toEqual([]);
});

it('what older versions remembered of the columns of what moved is read', () => {
  expect(readPreferences({ ladder: { flow: true } }).ladder.flow).toEqual(['came', 'withdrawn']);
  expect(readPreferences({ ladder: { flow: false } }).ladder.flow).toEqual([]);
  expect(readPreferences({ ladder: { flow: ['nonsense'] } }).ladder.flow).toEqual(['came', 'withdrawn']);
});
