import type { Action } from '../../hooks/actions.ts';
import { FIRST_LARGE, SETTINGS, type Settings } from '../../state/settings.ts';

/** The settings by which the ladder is drawn, in the order of the menu. */
export const LOOK = ['layout', 'count', 'cumulative', 'flow', 'lane', 'large', 'notional', 'bars', 'map'] as const;

export type Look = Pick<Settings, (typeof LOOK)[number]>;

/** The offered value of a setting that is chosen: large orders may begin at a size of the user's own. */
export function chosenOf(name: keyof Look, look: Look): Settings[keyof Look] {
  const isOwnSize = name === 'large' && look.large !== 'none' && look.large !== 'p99';
  return isOwnSize ? FIRST_LARGE : look[name];
}

/** All choices of how the ladder is drawn; the current ones are not offered. */
export function lookActions(look: Look, set: (next: Partial<Settings>) => void): readonly Action[] {
  return LOOK.flatMap((name): readonly Action[] => {
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
}
