import { z } from '@l4desk/protocol';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** A key as the service shows it: its prefix and last four characters. Nothing longer is ever kept. */
const SHOWN_KEY = /^[a-z\d]{1,8}_…[\w-]{4}$/;

const KEY_LABEL_MAX = 60;

/** Names of keys, entry by entry: what is no key as shown, or no text, is left out. */
const keyLabels = z.record(z.string(), z.unknown()).transform((kept) => {
  const labels: Record<string, string> = {};
  for (const [shown, label] of Object.entries(kept)) {
    if (SHOWN_KEY.test(shown) && typeof label === 'string' && label !== '') {
      labels[shown] = label.slice(0, KEY_LABEL_MAX);
    }
  }
  return labels;
});

/** How the dashboard looks, for one person on one machine. What a link should carry is in the URL instead. */
const preferences = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  palette: z.enum(['teal-coral', 'blue-orange', 'mono', 'east-asian']).catch('teal-coral'),
  timeZone: z.enum(['utc', 'local']).catch('utc'),
  /** Amounts and wallets are blurred until pointed at. */
  privacy: z.boolean().catch(false),
  /** What the person calls keys, by the key as shown; the service's own labels are not in its usage answers. */
  keyLabels: keyLabels.catch({}),
  ladder: z
    .object({
      layout: z.enum(['split', 'single']).catch('split'),
      count: z.boolean().catch(true),
      cumulative: z.boolean().catch(true),
      lane: z.boolean().catch(true),
      bars: z.enum(['linear', 'sqrt', 'log']).catch('linear'),
    })
    .catch({ layout: 'split', count: true, cumulative: true, lane: true, bars: 'linear' }),
});

export type Preferences = z.infer<typeof preferences>;
export type LadderPreferences = Preferences['ladder'];

interface PreferencesStore extends Preferences {
  readonly set: (change: Partial<Preferences>) => void;
  readonly setLadder: (change: Partial<LadderPreferences>) => void;
  /** Names a key; an empty text takes its name away. */
  readonly setKeyLabel: (shown: string, label: string) => void;
}

/** Where `public/theme.js` looks before the first paint. */
export const PREFERENCES_KEY = 'l4desk.preferences';
const VERSION = 2;

/** Reads kept preferences of any age or origin: what is not understood becomes the default, field by field. */
export function readPreferences(kept: unknown): Preferences {
  return preferences.safeParse(kept).data ?? preferences.parse({});
}

export const usePreferences = create<PreferencesStore>()(
  persist(
    (set) => ({
      ...readPreferences({}),
      set: (change) => set(change),
      setLadder: (change) => set((state) => ({ ladder: { ...state.ladder, ...change } })),
      setKeyLabel: (shown, label) =>
        set((state) => ({ keyLabels: keyLabels.parse({ ...state.keyLabels, [shown]: label.trim() }) })),
    }),
    {
      name: PREFERENCES_KEY,
      version: VERSION,
      // Version 2 added the names of keys. Whatever lies there is read field by field, what an older one lacks as its default.
      migrate: (kept) => readPreferences(kept),
      merge: (kept, current) => ({ ...current, ...readPreferences(kept) }),
      partialize: ({ theme, density, palette, timeZone, privacy, keyLabels: labels, ladder }) => ({
        theme,
        density,
        palette,
        timeZone,
        privacy,
        keyLabels: labels,
        ladder,
      }),
    },
  ),
);

/** Puts the look on the document, now and at every change; answers the function that stops it. */
export function applyPreferences(): () => void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    const { theme, density, palette, privacy } = usePreferences.getState();
    const { dataset } = document.documentElement;
    dataset.theme = theme === 'system' ? (light.matches ? 'light' : 'dark') : theme;
    dataset.density = density;
    dataset.palette = palette;
    dataset.privacy = privacy ? 'blur' : 'off';
  };
  apply();
  light.addEventListener('change', apply);
  const unsubscribe = usePreferences.subscribe(apply);
  return () => {
    light.removeEventListener('change', apply);
    unsubscribe();
  };
}
