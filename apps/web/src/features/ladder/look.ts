import type { Action } from '../../hooks/actions.ts';
import { FIRST_LARGE, SETTINGS, type Settings } from '../../state/settings.ts';

/** The settings by which the ladder is drawn, in the order of the menu. */
export const LOOK = ['layout', 'count', 'cumulative', 'flow', 'lane', 'large', 'notional', 'bars', 'map'] as const;

export type Look = Pick<Settings, (typeof LOOK)[number]>;

export const COLUMN_HINTS = {
  price: 'price: A where asks rest, B where bids do; a press lists the orders',
  size: 'size: what rests at the price, with a bar as long as the size of all better prices too',
  count: 'n: number of orders at the price',
  cumulative: 'cum: size of this row and all better ones',
  notional: 'ntl: price × size over the orders of the row, in whole units; cum ntl: also of all better rows',
  flow: '+ came: added, requoted in and grown; − withdrawn: canceled, requoted out and shrunk. Executions are neither',
  lane: 'queue: a segment for each order, the front of the queue at its start. +12: 12 more orders behind. “Full bar” is the size that fills the lane; a bar with two cuts is longer. A line over an order: large. A letter or pattern: a watched wallet',
} as const;

/** Sets of columns; price and size are in each. */
export const PRESETS = {
  Simple: {
    hint: 'Price, size, cumulative size and queue',
    columns: { count: false, cumulative: true, notional: 'none', flow: false, lane: true },
  },
  Flow: {
    hint: 'Price, size, what came and what was withdrawn, and queue',
    columns: { count: false, cumulative: false, notional: 'none', flow: true, lane: true },
  },
  Queue: {
    hint: 'Price, size, number of orders and queue',
    columns: { count: true, cumulative: false, notional: 'none', flow: false, lane: true },
  },
  All: {
    hint: 'Every column',
    columns: { count: true, cumulative: true, notional: 'row', flow: true, lane: true },
  },
} as const satisfies Readonly<Record<string, { readonly hint: string; readonly columns: Partial<Look> }>>;

type Preset = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** The preset that these columns are; undefined for any others. */
export function presetOf(look: Look): Preset | undefined {
  return PRESET_NAMES.find((name) => {
    const { columns } = PRESETS[name];
    return (Object.keys(columns) as (keyof typeof columns)[]).every((key) => look[key] === columns[key]);
  });
}

/** The offered value of a setting that is chosen: large orders may begin at a size of the user's own. */
export function chosenOf(name: keyof Look, look: Look): Settings[keyof Look] {
  const isOwnSize = name === 'large' && look.large !== 'none' && look.large !== 'p99';
  return isOwnSize ? FIRST_LARGE : look[name];
}

export function lookActions(look: Look, set: (next: Partial<Settings>) => void): readonly Action[] {
  const presets = PRESET_NAMES.filter((name) => name !== presetOf(look)).map((name) => ({
    id: `columns ${name}`,
    label: `Columns: ${name}`,
    hint: PRESETS[name].hint,
    run: () => set(PRESETS[name].columns),
  }));
  const single = LOOK.flatMap((name): readonly Action[] => {
    const setting = SETTINGS[name];
    if (!('options' in setting))
      return [
        {
          id: `look ${name}`,
          label: `${look[name] ? 'Hide' : 'Show'} ${setting.label}`,
          run: () => set({ [name]: !look[name] }),
        },
      ];
    return setting.options
      .filter(({ value }) => value !== look[name])
      .map(({ value, text, hint }) => ({
        id: `look ${name} ${value}`,
        label: `${setting.label}: ${text}`,
        hint,
        run: () => set({ [name]: value }),
      }));
  });
  return [...presets, ...single];
}
