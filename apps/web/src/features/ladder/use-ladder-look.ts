import { useCallback, useMemo } from 'react';
import type { Action } from '../../hooks/actions.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { type LadderPreferences, usePreferences } from '../../state/preferences.ts';
import { type LadderChoices, ladderSearch } from './search.ts';

/** How the ladder is drawn: from the URL, otherwise as last used. */
export interface LadderLook {
  readonly look: LadderPreferences;
  readonly set: (next: Partial<Look>) => void;
}

type Look = Omit<LadderPreferences, 'layout'>;

/** The part of the URL that says how the ladder is drawn. */
export type LookChoices = Pick<LadderChoices, 'bars' | 'large' | 'map' | 'n' | 'cum' | 'ntl' | 'lane' | 'flow'>;

/** How the ladder is drawn: as the URL says, otherwise as last used. */
export function lookOf(choices: LookChoices, kept: LadderPreferences): LadderPreferences {
  const { bars, large, map, n, cum, ntl, lane, flow } = choices;
  const isOn = (text: '0' | '1' | undefined, last: boolean) => (text === undefined ? last : text === '1');
  return {
    ...kept,
    count: isOn(n, kept.count),
    cumulative: isOn(cum, kept.cumulative),
    notional: ntl ?? kept.notional,
    flow: isOn(flow, kept.flow),
    lane: isOn(lane, kept.lane),
    large: large ?? kept.large,
    bars: bars ?? kept.bars,
    map: isOn(map, kept.map),
  };
}

/** The URL parameters of these choices. */
export function lookChoices({ count, cumulative, notional, flow, lane, large, bars, map }: Partial<Look>) {
  const onOff = (shown: boolean | undefined) => (shown === undefined ? undefined : shown ? '1' : '0');
  const all: LookChoices = {
    n: onOff(count),
    cum: onOff(cumulative),
    ntl: notional,
    flow: onOff(flow),
    lane: onOff(lane),
    large,
    bars,
    map: onOff(map),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as LookChoices;
}

export function useLadderLook(): LadderLook {
  const { choices, change } = usePageSearch(ladderSearch);
  const kept = usePreferences((state) => state.ladder);
  const setLadder = usePreferences((state) => state.setLadder);
  const { bars, large, map, n, cum, ntl, lane, flow } = choices;
  const look = useMemo(
    () => lookOf({ bars, large, map, n, cum, ntl, lane, flow }, kept),
    [kept, bars, large, map, n, cum, ntl, lane, flow],
  );
  const set = useCallback<LadderLook['set']>(
    (next) => {
      setLadder(next);
      change(lookChoices(next));
    },
    [setLadder, change],
  );
  return useMemo(() => ({ look, set }), [look, set]);
}

interface LookOption<Value> {
  readonly value: Value;
  readonly text: string;
  readonly hint: string;
}

export const BAR_SCALES = [
  { value: 'linear', text: 'Linear', hint: 'Twice the size, twice the bar' },
  { value: 'sqrt', text: '√', hint: 'Root: four times the size, twice the bar' },
  { value: 'log', text: 'Log', hint: 'Three decades, so small levels stay visible' },
] as const satisfies readonly LookOption<LadderPreferences['bars']>[];

export const NOTIONALS = [
  { value: 'none', text: 'None', hint: 'No notional' },
  { value: 'row', text: 'Row', hint: 'Price × size over the orders of the row, in whole units' },
  { value: 'cumulative', text: 'Cumulative', hint: 'The same over this row and all better ones' },
] as const satisfies readonly LookOption<LadderPreferences['notional']>[];

/** The initial minimum size of large orders. */
export const FIRST_LARGE = '1';

const LARGE_COMMANDS: readonly {
  readonly value: LadderPreferences['large'];
  readonly text: string;
  readonly hint?: string;
}[] = [
  { value: 'none', text: 'none' },
  { value: 'p99', text: 'the largest hundredth (P99)' },
  { value: FIRST_LARGE, text: `those of ${FIRST_LARGE} and more`, hint: 'another size under Columns' },
];

/** All choices of how the ladder is drawn; the current ones are not offered. */
export function lookActions(look: LadderPreferences, set: LadderLook['set']): readonly Action[] {
  const toggles = [
    ['count', 'orders column (n)'],
    ['cumulative', 'cumulative size column (cum)'],
    ['flow', 'columns of what came and was withdrawn'],
    ['lane', 'queue lanes'],
    ['map', 'map of the whole book'],
  ] as const;
  return [
    ...BAR_SCALES.filter(({ value }) => value !== look.bars).map(({ value, text, hint }) => ({
      id: `bars ${value}`,
      label: `Bar scale: ${text}`,
      hint,
      run: () => set({ bars: value }),
    })),
    ...NOTIONALS.filter(({ value }) => value !== look.notional).map(({ value, text }) => ({
      id: `notional ${value}`,
      label: `Notional column: ${text.toLowerCase()}`,
      run: () => set({ notional: value }),
    })),
    ...LARGE_COMMANDS.filter(({ value }) => value !== look.large).map(({ value, text, hint }) => ({
      id: `large ${value}`,
      label: `Large orders: mark ${text}`,
      hint,
      run: () => set({ large: value }),
    })),
    ...toggles.map(([name, text]) => ({
      id: `column ${name}`,
      label: `${look[name] ? 'Hide' : 'Show'} the ${text}`,
      run: () => set({ [name]: !look[name] }),
    })),
  ];
}
