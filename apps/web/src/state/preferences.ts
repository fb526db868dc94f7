import { decimalString, z } from '@l4desk/protocol';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { KEY_LABELS_KEY } from './key-labels.ts';

/** A size above zero from which on an order is large. */
export const leastSize = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,12})?$/)
  .refine((text) => /[1-9]/.test(text))
  .pipe(decimalString);

/** A group of fields, each of which has a default: what is no group at all has those of all its fields. */
function fieldByField<F extends z.ZodRawShape>(fields: F) {
  const group = z.object(fields);
  return group.catch(() => group.parse({}));
}

/** How the dashboard looks, for one person on one machine. What a link should carry is in the URL instead. */
const preferences = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  palette: z.enum(['teal-coral', 'blue-orange', 'mono', 'east-asian']).catch('teal-coral'),
  timeZone: z.enum(['utc', 'local']).catch('utc'),
  /** Amounts and wallets are blurred until pointed at. */
  privacy: z.boolean().catch(false),
  /** Credits that a page may spend without a click; undefined until the user sets it. */
  unaskedCredits: z.int().min(0).max(1_000_000).optional().catch(undefined),
  /** Seconds between two verifications of the followed book that nobody asked for; 0 for none. */
  verifyEveryS: z.int().min(0).max(86_400).catch(0),
  ladder: fieldByField({
    layout: z.enum(['split', 'single']).catch('single'),
    count: z.boolean().catch(true),
    cumulative: z.boolean().catch(true),
    notional: z.enum(['none', 'row', 'cumulative']).catch('row'),
    flow: z.boolean().catch(true),
    lane: z.boolean().catch(true),
    /** Which orders stand out by their size: none, the largest hundredth of those in sight, or those from a size on. */
    large: z.union([z.enum(['none', 'p99']), leastSize]).catch('p99'),
    bars: z.enum(['linear', 'sqrt', 'log']).catch('sqrt'),
    /** The map of the whole book beside the ladder. */
    map: z.boolean().catch(true),
  }),
  /** What is open on the book page where its address does not say: the tab of the panel (`none` is no panel), the strips. */
  book: fieldByField({
    pane: z.string().catch('level'),
    strip: z.boolean().catch(true),
    time: z.boolean().catch(true),
    /** The ladders beside the first one, as the address writes them. */
    books: z.string().catch('none'),
    /** Where there is room for several panes at once: which, in their order; none is the page's own order. */
    panes: z.array(z.string()).catch([]),
    /** The part of the width that the ladders have, in percent; null is the page's own. */
    split: z.int().min(20).max(80).nullable().catch(null),
  }),
  /** The radar's coins (none chosen: the first of the exchange's list), and whether its strip is shown where there is room. */
  radar: fieldByField({
    coins: z.array(z.string().min(1).max(64)).max(64).catch([]),
    strip: z.boolean().catch(true),
  }),
});

export type Preferences = z.infer<typeof preferences>;
export type LadderPreferences = Preferences['ladder'];
export type BookPreferences = Preferences['book'];
type RadarPreferences = Preferences['radar'];

interface PreferencesStore extends Preferences {
  readonly set: (change: Partial<Preferences>) => void;
  readonly setLadder: (change: Partial<LadderPreferences>) => void;
  readonly setBook: (change: Partial<BookPreferences>) => void;
  readonly setRadar: (change: Partial<RadarPreferences>) => void;
}

/** Where `public/theme.js` looks before the first paint. */
export const PREFERENCES_KEY = 'l4desk.preferences';
const VERSION = 3;

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
      setBook: (change) => set((state) => ({ book: { ...state.book, ...change } })),
      setRadar: (change) => set((state) => ({ radar: { ...state.radar, ...change } })),
    }),
    {
      name: PREFERENCES_KEY,
      version: VERSION,
      // Whatever lies there is read field by field, what an older version lacks as its default.
      migrate: (kept) => {
        moveKeyLabels(kept);
        return readPreferences(kept);
      },
      merge: (kept, current) => ({ ...current, ...readPreferences(kept) }),
      partialize: (state) => readPreferences(state),
    },
  ),
);

/** Version 2 had the names of keys here, for every account; the first account to sign in takes them over. */
function moveKeyLabels(kept: unknown): void {
  const { data } = z.object({ keyLabels: z.record(z.string(), z.unknown()) }).safeParse(kept);
  if (data === undefined) return;
  localStorage.setItem(KEY_LABELS_KEY, JSON.stringify({ version: 1, state: { labels: data.keyLabels } }));
}

/** Puts the look on the document, now and at every change; returns the function that stops it. */
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
