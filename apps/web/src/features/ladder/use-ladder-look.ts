import { useCallback, useMemo } from 'react';
import type { Command } from '../../hooks/commands.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { type LadderPreferences, usePreferences } from '../../state/preferences.ts';
import { type LadderChoices, ladderSearch } from './search.ts';

/** How the ladder is drawn: from the URL, otherwise as last used. */
export interface LadderLook {
  readonly look: LadderPreferences;
  readonly set: (next: Partial<Omit<LadderPreferences, 'layout'>>) => void;
}

export function useLadderLook(): LadderLook {
  const { choices, change } = usePageSearch(ladderSearch);
  const kept = usePreferences((state) => state.ladder);
  const setLadder = usePreferences((state) => state.setLadder);
  const { bars, large, map } = choices;
  const look = useMemo(
    () => ({
      ...kept,
      bars: bars ?? kept.bars,
      large: large ?? kept.large,
      map: map === undefined ? kept.map : map === '1',
    }),
    [kept, bars, large, map],
  );
  const set = useCallback<LadderLook['set']>(
    (next) => {
      setLadder(next);
      const written: LadderChoices = {
        ...('bars' in next ? { bars: next.bars } : {}),
        ...('large' in next ? { large: next.large } : {}),
        ...('map' in next ? { map: next.map ? '1' : '0' } : {}),
      };
      if (Object.keys(written).length > 0) change(written);
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

/** All choices of how the ladder is drawn, as palette commands; the current ones are not offered. */
export function useLookCommands(): readonly Command[] {
  const { look, set } = useLadderLook();
  return useMemo(() => {
    const toggles = [
      ['count', 'orders column (n)'],
      ['cumulative', 'cumulative size column (cum)'],
      ['flow', 'columns of what came and was withdrawn (5 s)'],
      ['lane', 'queue lanes'],
      ['map', 'map of the whole book'],
    ] as const;
    return [
      ...BAR_SCALES.filter(({ value }) => value !== look.bars).map(({ value, text, hint }) => ({
        id: `bars ${value}`,
        text: `Bar scale: ${text}`,
        hint,
        run: () => set({ bars: value }),
      })),
      ...NOTIONALS.filter(({ value }) => value !== look.notional).map(({ value, text }) => ({
        id: `notional ${value}`,
        text: `Notional column: ${text.toLowerCase()}`,
        run: () => set({ notional: value }),
      })),
      look.large === 'none'
        ? { id: 'large p99', text: 'Large orders: mark the largest hundredth (P99)', run: () => set({ large: 'p99' }) }
        : { id: 'large none', text: 'Large orders: mark none', run: () => set({ large: 'none' }) },
      ...toggles.map(([name, text]) => ({
        id: `column ${name}`,
        text: `${look[name] ? 'Hide' : 'Show'} the ${text}`,
        run: () => set({ [name]: !look[name] }),
      })),
    ];
  }, [look, set]);
}
