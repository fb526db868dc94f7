import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../state/page-search.ts';
import { readSettings } from '../../state/settings.ts';
import { ladderSearch, levelOnTick, writeLevel } from './search.ts';

const read = (query: string) => ladderSearch.schema.parse(parseSearch(query));

describe('the URL of a book', () => {
  it.each([
    ['', {}],
    ['?tick=0.5', { tick: '0.5' }],
    ['?tick=100&view=mid', { tick: '100', view: 'mid' }],
    ['?level=A81308', { level: 'A81308' }],
    ['?level=B0.000123', { level: 'B0.000123' }],
  ])('reads %s and writes it back unchanged', (query, choices) => {
    expect(ladderSearch.read(read(query))).toEqual(choices);
    expect(ladderSearch.invalid(read(query))).toEqual([]);
    expect(stringifySearch(read(query))).toBe(query);
  });

  it('keeps a number as the text it is', () => {
    expect(stringifySearch(read('?tick=0.000000000000000000001'))).toBe('?tick=0.000000000000000000001');
  });

  it.each([
    ['?tick=banana', 'tick=banana'],
    ['?tick=3', 'tick=3'],
    ['?tick=1.0', 'tick=1.0'],
    ['?tick=-1', 'tick=-1'],
    ['?view=sideways', 'view=sideways'],
    ['?level=81308', 'level=81308'],
    ['?level=A1e5', 'level=A1e5'],
    ['?level=A', 'level=A'],
  ])('%s falls back to the default and is reported', (query, named) => {
    expect(ladderSearch.read(read(query))).toEqual({});
    expect(ladderSearch.invalid(read(query))).toEqual([named]);
  });

  it('leaves out unknown parameters', () => {
    expect(stringifySearch(read('?utm=1&tick=5'))).toBe('?tick=5');
  });
});

it('sides are chosen in the URL, and a new browser shows one side', () => {
  expect(ladderSearch.read(read('?sides=2'))).toEqual({ sides: '2' });
  expect(ladderSearch.invalid(read('?sides=3'))).toEqual(['sides=3']);
  expect(readSettings({}).layout).toBe('single');
});

it('the kinds of older addresses are read', () => {
  expect(ladderSearch.read(read('?kinds=added,cancelled'))).toEqual({ kinds: ['added', 'canceled'] });
  expect(ladderSearch.read(read('?kinds=canceled'))).toEqual({ kinds: ['canceled'] });
});

describe('the selected level', () => {
  it('is found again in its tick, bids rounded down and asks up', () => {
    expect(levelOnTick('A81308.5', '1')).toEqual({ side: 'A', px: '81309', tick: '1' });
    expect(levelOnTick('B81308.5', '1')).toEqual({ side: 'B', px: '81308', tick: '1' });
    expect(levelOnTick('B81308', '10')).toEqual({ side: 'B', px: '81300', tick: '10' });
  });

  it('is undefined before a tick is known', () => {
    expect(levelOnTick('A81308', undefined)).toBeUndefined();
    expect(levelOnTick(undefined, '1')).toBeUndefined();
  });

  it('is written as it is read', () => {
    expect(writeLevel({ side: 'A', px: '81308' })).toBe('A81308');
  });
});
