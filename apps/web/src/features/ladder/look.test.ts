import { expect, it } from 'vitest';
import { readSettings, SETTING_NAMES, type Settings, settingsOf, settingTexts } from '../../state/settings.ts';
import { ladderSearch } from './search.ts';

const first = readSettings({});

const other: Settings = {
  ...first,
  layout: 'split',
  count: false,
  cumulative: false,
  flow: false,
  lane: false,
  large: '2.5',
  notional: 'cumulative',
  bars: 'log',
  map: false,
  pane: 'tape',
  panes: ['tape', 'level'],
  closed: ['owners'],
  strip: false,
  time: false,
  radarStrip: false,
  split: 40,
  books: 'ETH,BTC@10',
};

/** An empty list of panes, the default share and the default ladders are not written: an address without them means them. */
const UNWRITTEN = { panes: undefined, split: undefined, books: undefined };

it.each([
  ['as they are at first', first],
  ['all of them different', other],
])('the address carries what it may hold of the settings: %s', (_, settings) => {
  const texts = settingTexts(settings);
  expect(ladderSearch.invalid(texts)).toEqual([]);
  for (const stored of [first, other]) {
    const read = settingsOf(SETTING_NAMES, ladderSearch.read(texts), stored);
    const isWritten = settings === other ? {} : UNWRITTEN;
    expect({ ...read, ...isWritten }).toEqual({ ...settings, ...isWritten });
  }
});

it('a setting that the address does not hold is as last used, and a change writes only itself', () => {
  expect(settingsOf(SETTING_NAMES, {}, other)).toEqual(other);
  expect(settingTexts({ count: false, verifyEveryS: 60 })).toEqual({ n: '0' });
  expect(settingTexts({ closed: [], split: null })).toEqual({ closed: 'none', split: undefined });
});

it.each([['n=2'], ['sides=3'], ['split=7'], ['bars=cubic'], ['large=0'], ['pane=Level'], ['closed=a,B']])(
  '%s is reported as invalid, and the value used last holds',
  (text) => {
    const search = Object.fromEntries([text.split('=')]) as object;
    expect(ladderSearch.invalid(search)).toEqual([text]);
    expect(settingsOf(SETTING_NAMES, ladderSearch.read(search), other)).toEqual(other);
  },
);

it('what older versions remembered of the columns of what moved is read, and so are their addresses', () => {
  const remembered = (flow: unknown) => readSettings({ flow }).flow;
  expect([true, false, ['executed'], [], 7].map(remembered)).toEqual([true, false, true, false, true]);
  const addressed = (flow: string) => settingsOf(['flow'], ladderSearch.read({ flow, span: '60' }), first).flow;
  expect(['came,withdrawn', 'executed', 'none', '0', '1'].map(addressed)).toEqual([true, true, false, false, true]);
  expect(ladderSearch.invalid({ flow: 'added,requotedIn', span: '60' })).toEqual([]);
});
