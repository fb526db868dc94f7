import { decimalString, z } from '@l4desk/protocol';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { KEY_LABELS_KEY } from './key-labels.ts';

/** The size from which an order counts as large; above zero. */
export const leastSize = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,12})?$/)
  .refine((text) => /[1-9]/.test(text))
  .pipe(decimalString);

/** A group of fields that each have a default. A value that is not an object yields the defaults of all fields. */
function fieldByField<F extends z.ZodRawShape>(fields: F) {
  const group = z.object(fields);
  return group.catch(() => group.parse({}));
}

/** How the dashboard looks, for one person on one machine. State that a link should carry is in the URL instead. */
const preferences = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  palette: z.enum(['teal-coral', 'blue-orange', 'mono', 'east-asian']).catch('teal-coral'),
  timeZone: z.enum(['utc', 'local']).catch('utc'),
  /** Blurs amounts and wallets until the user points at them. */
  privacy: z.boolean().catch(false),
  /** Whether shortcuts of a single character (letters, digits, signs) work; speech input types such keys by accident. */
  characterKeys: z.boolean().catch(true),
  /** Credits that a page may spend without a click; undefined until the user sets a limit. */
  autoLoadCredits: z.int().min(0).max(1_000_000).optional().catch(undefined),
  /** Seconds between automatic verifications of the followed book; 0 for none. */
  verifyEveryS: z.int().min(0).max(86_400).catch(0),
  ladder: fieldByField({
    layout: z.enum(['split', 'single']).catch('single'),
    count: z.boolean().catch(true),
    cumulative: z.boolean().catch(true),
    notional: z.enum(['none', 'row', 'cumulative']).catch('row'),
    /** Columns of what moved at a row; older versions stored whether the usual ones are shown. */
    /** Older versions remembered a list of columns. */
    flow: z.union([z.boolean(), z.array(z.string()).transform((columns) => columns.length > 0)]).catch(true),
    lane: z.boolean().catch(true),
    /** Which orders are highlighted as large: none, the largest hundredth of those in view, or those from a given size. */
    large: z.union([z.enum(['none', 'p99']), leastSize]).catch('p99'),
    bars: z.enum(['linear', 'sqrt', 'log']).catch('sqrt'),
    /** Whether the map of the whole book is shown beside the ladder. */
    map: z.boolean().catch(true),
  }),
  /**
   * What is open on the book page unless its address says otherwise: the tab of the panel (`none` for no panel) and the strips.
   */
  book: fieldByField({
    pane: z.string().catch('level'),
    strip: z.boolean().catch(true),
    time: z.boolean().catch(true),
    /** The ladders beside the first one, as the address writes them. */
    books: z.string().catch('none'),
    /** Which panes are shown where several fit, in order; empty uses the page's default order. */
    panes: z.array(z.string()).catch([]),
    /** Panes that are closed there. */
    closed: z.array(z.string()).catch([]),
    /** The share of the width given to the ladders, in percent; null uses the page's default. */
    split: z.int().min(20).max(80).nullable().catch(null),
  }),
  /** The radar's coins (empty: the first ones of the exchange's list), and whether its strip is shown where it fits. */
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

/** The key that `public/theme.js` reads before the first paint. */
export const PREFERENCES_KEY = 'l4desk.preferences';
const VERSION = 3;

/** Reads stored preferences of any version or origin, field by field; a field that cannot be read gets its default. */
export function readPreferences(kept: unknown): Preferences {
  // Older versions stored the credits of automatic loads under another name.
  const named =
    typeof kept === 'object' && kept !== null && 'unaskedCredits' in kept
      ? { autoLoadCredits: kept.unaskedCredits, ...kept }
      : kept;
  return preferences.safeParse(named).data ?? preferences.parse({});
}

/** What each window has for itself: its ladders, panes and radar, and the choices by which it spends credits. */
const OWN = ['ladder', 'book', 'radar', 'autoLoadCredits', 'verifyEveryS'] as const;
type Own = Pick<Preferences, (typeof OWN)[number]>;

function ownOf({ ladder, book, radar, autoLoadCredits, verifyEveryS }: Preferences): Own {
  return { ladder, book, radar, autoLoadCredits, verifyEveryS };
}

/** What another window stored last is being read. */
let isOfOther = false;
/** What another window stored last of its own choices, and what this window had then. */
let other: { readonly stored: Own; readonly here: Own } | undefined;

/** Choices of another window that this one has not replaced since: they are not written over, and hold at the next visit. */
function ofOther(state: Preferences): Partial<Own> {
  const kept = OWN.filter((name) => state[name] === other?.here[name]);
  return Object.fromEntries(kept.map((name) => [name, other?.stored[name]]));
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
      // Any stored value is read field by field; fields that an older version lacks get their defaults.
      migrate: (kept) => {
        moveKeyLabels(kept);
        return readPreferences(kept);
      },
      merge: (kept, current) => {
        const read = readPreferences(kept);
        other = isOfOther ? { stored: ownOf(read), here: ownOf(current) } : undefined;
        return { ...current, ...read, ...other?.here };
      },
      partialize: (state) => ({ ...readPreferences(state), ...(other && ofOther(state)) }),
    },
  ),
);

/** Version 2 stored the names of keys here, shared by all accounts; the first account to sign in takes them over. */
function moveKeyLabels(kept: unknown): void {
  const { data } = z.object({ keyLabels: z.record(z.string(), z.unknown()) }).safeParse(kept);
  if (data === undefined) return;
  localStorage.setItem(KEY_LABELS_KEY, JSON.stringify({ version: 1, state: { labels: data.keyLabels } }));
}

/** Applies the look to the document, now and at every change, also of another window. Returns the function that stops it. */
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
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== PREFERENCES_KEY) return;
    isOfOther = true;
    void usePreferences.persist.rehydrate();
    isOfOther = false;
  };
  addEventListener('storage', onStorage);
  return () => {
    removeEventListener('storage', onStorage);
    light.removeEventListener('change', apply);
    unsubscribe();
  };
}
