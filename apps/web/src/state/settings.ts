import { decimalString, z } from '@l4desk/protocol';

/** The size from which an order counts as large; above zero. */
export const leastSize = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,12})?$/)
  .refine((text) => /[1-9]/.test(text))
  .pipe(decimalString);

/** How a setting is written in the address: under this key, which takes precedence over the value used last. */
interface UrlForm<T> {
  readonly key: string;
  readonly schema: z.ZodType<T, string>;
  readonly write: (value: T) => string | undefined;
}

interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  readonly url?: UrlForm<T>;
  /** Each window has its own value, and the last change of any window holds at the next visit. */
  readonly isPerWindow?: boolean;
  /** Its name in menus and in the palette; below, the values that they offer. */
  readonly label?: string | undefined;
  readonly options?: readonly { readonly value: T; readonly text: string; readonly hint: string }[];
}

type More<T> = Omit<Setting<T>, 'schema' | 'fallback'>;

function setting<T, const M extends More<T>>(schema: z.ZodType<T>, fallback: T, more?: M) {
  return { schema, fallback, ...more } as { readonly schema: z.ZodType<T>; readonly fallback: T } & M;
}

const switchText = z.enum(['0', '1']).transform((text) => text === '1');

/** Older versions stored and wrote which columns of what moved are shown. */
const listed = z.array(z.string()).transform((columns) => columns.length > 0);
const listedText = z
  .string()
  .regex(/^[a-z,]+$/i)
  .transform((columns) => columns !== 'none');

/** Something that is shown or not, written as `1` and `0`. */
function shown<const K extends string>(key: K, label?: string, schema: z.ZodType<boolean, string> = switchText) {
  const url = { key, schema, write: (on: boolean) => (on ? '1' : '0') };
  return setting(z.union([z.boolean(), listed]), true, { url, isPerWindow: true, label });
}

const asText = <const K extends string, T extends string>(key: K, schema: z.ZodType<T, string>) => ({
  key,
  schema,
  write: (value: T) => value,
});

const paneKey = z.string().regex(/^[a-z]{1,16}$/);

/** Keys of panes; `none` for an empty list. */
const paneKeys = z
  .string()
  .transform((text) => (text === 'none' ? [] : [...new Set(text.split(','))]))
  .pipe(z.array(paneKey));

const bars = z.enum(['linear', 'sqrt', 'log']);
const notional = z.enum(['none', 'row', 'cumulative']);
const large = z.union([z.enum(['none', 'p99']), leastSize]);
const layout = z.enum(['split', 'single']);
const split = z.int().min(20).max(80);

/** The initial minimum size of large orders. */
export const FIRST_LARGE = leastSize.parse('1');

/** Every setting of the dashboard: how it is stored, its default, its place in the address, and its name. */
export const SETTINGS = {
  theme: setting(z.enum(['system', 'dark', 'light']), 'system'),
  density: setting(z.enum(['compact', 'comfortable']), 'compact'),
  palette: setting(z.enum(['teal-coral', 'blue-orange', 'mono', 'east-asian']), 'teal-coral'),
  timeZone: setting(z.enum(['utc', 'local']), 'utc'),
  /** Blurs amounts and wallets until the user points at them. */
  privacy: setting(z.boolean(), false),
  /** Whether shortcuts of a single character (letters, digits, signs) work; speech input types such keys by accident. */
  characterKeys: setting(z.boolean(), true),
  /** Credits that a page may spend without a click; undefined until the user sets a limit. */
  autoLoadCredits: setting(z.int().min(0).max(1_000_000).optional(), undefined, { isPerWindow: true }),
  /** The share of the plan, in percent, from which the month's credits raise an alarm; 0 for none. */
  creditAlertPercent: setting(z.int().min(0).max(100), 0),
  /** Seconds between automatic verifications of the followed book; 0 for none. */
  verifyEveryS: setting(z.int().min(0).max(86_400), 0, { isPerWindow: true }),
  /** Numbers on one side of the price, or bids and asks on two. */
  layout: setting(layout, 'single', {
    label: 'Layout',
    options: [
      {
        value: 'single',
        text: 'One side',
        hint: 'The price in one column, its numbers right of it, then the lane',
      },
      {
        value: 'split',
        text: 'Two sides',
        hint: 'Bid numbers left of the price, ask numbers right; queues opposite',
      },
    ],
    url: {
      key: 'sides',
      schema: z.enum(['1', '2']).transform((sides) => (sides === '2' ? ('split' as const) : ('single' as const))),
      write: (value) => (value === 'split' ? '2' : '1'),
    },
    isPerWindow: true,
  }),
  count: shown('n', 'Orders (n)'),
  cumulative: shown('cum', 'Cumulative size (cum)'),
  flow: shown('flow', 'Came and withdrawn in 5 s (+, −)', z.union([switchText, listedText])),
  lane: shown('lane', 'Queue lane'),
  /** Which orders are highlighted as large: none, the largest hundredth of those in view, or those from a given size. */
  large: setting(large, 'p99', {
    label: 'Large orders',
    options: [
      { value: 'none', text: 'None', hint: 'No order stands out by its size' },
      { value: 'p99', text: 'P99', hint: 'A line over the largest hundredth of the orders in sight' },
      { value: FIRST_LARGE, text: 'From', hint: 'A line over every order of this size or more' },
    ],
    url: asText('large', large),
    isPerWindow: true,
  }),
  notional: setting(notional, 'row', {
    label: 'Notional (ntl)',
    options: [
      { value: 'none', text: 'None', hint: 'No notional' },
      { value: 'row', text: 'Row', hint: 'Price × size over the orders of the row, in whole units' },
      { value: 'cumulative', text: 'Cumulative', hint: 'The same over this row and all better ones' },
    ],
    url: asText('ntl', notional),
    isPerWindow: true,
  }),
  bars: setting(bars, 'sqrt', {
    label: 'Bar scale',
    options: [
      { value: 'linear', text: 'Linear', hint: 'Twice the size, twice the bar' },
      { value: 'sqrt', text: '√', hint: 'Root: four times the size, twice the bar' },
      { value: 'log', text: 'Log', hint: 'Three decades, so small levels stay visible' },
    ],
    url: asText('bars', bars),
    isPerWindow: true,
  }),
  map: shown('map', 'Map of the whole book'),
  /** The tab of the panel, or `none` for no panel. */
  pane: setting(z.string(), 'tape', { url: asText('pane', paneKey), isPerWindow: true }),
  /** Which panes are shown where several fit, in order; empty uses the page's default order. Below, those that are closed there. */
  panes: setting(z.array(z.string()), [], {
    url: { key: 'panes', schema: paneKeys, write: (keys) => keys.join(',') || undefined },
    isPerWindow: true,
  }),
  closed: setting(z.array(z.string()), [], {
    url: { key: 'closed', schema: paneKeys, write: (keys) => keys.join(',') || 'none' },
    isPerWindow: true,
  }),
  /** The map of prices above the open pane, where both fit; below, the strips. */
  chart: shown('chart', 'Price map above the panes'),
  strip: shown('strip'),
  time: shown('time'),
  /** The strip of the radar at the right edge, where it fits; below, the radar's coins (empty: the first of the exchange's list). */
  radarStrip: shown('radar'),
  radarCoins: setting(z.array(z.string().min(1).max(64)).max(64), [], { isPerWindow: true }),
  /** The ladders' share of the width, in percent; null uses the page's default. */
  split: setting(split.nullable(), null, {
    url: {
      key: 'split',
      schema: z
        .string()
        .regex(/^\d{2}$/)
        .transform(Number)
        .pipe(split),
      write: (share) => (share === null ? undefined : String(share)),
    },
    isPerWindow: true,
  }),
  /** The ladders beside the first one, as the address writes them; null uses the page's default. */
  books: setting(z.string().nullable(), null, {
    url: { key: 'books', schema: z.string(), write: (ladders) => ladders ?? undefined },
    isPerWindow: true,
  }),
} as const;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;
export type Settings = { -readonly [N in SettingName]: z.output<Table[N]['schema']> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The settings of which each window has its own value. */
export const PER_WINDOW = SETTING_NAMES.filter((name) => 'isPerWindow' in SETTINGS[name]);

/** Reads stored settings of any origin, one by one; a value that cannot be read gets its default. */
export function readSettings(kept: unknown): Settings {
  const given = z.record(z.string(), z.unknown()).safeParse(kept).data ?? {};
  const read = SETTING_NAMES.map((name) => {
    const { schema, fallback }: Pick<Setting<unknown>, 'schema' | 'fallback'> = SETTINGS[name];
    const value = schema.safeParse(given[name]);
    return [name, value.success ? value.data : fallback];
  });
  return Object.fromEntries(read) as Settings;
}

type UrlKeyOf<S> = S extends { readonly url: { readonly key: infer K extends string } } ? K : never;
type UrlKey = UrlKeyOf<Table[SettingName]>;

export type SettingTexts = { readonly [K in UrlKey]?: string | undefined };

const urlOf = (name: SettingName): UrlForm<unknown> | undefined => (SETTINGS[name] as Setting<unknown>).url;

/** The keys of the address that hold settings. */
export const SETTING_KEYS = SETTING_NAMES.flatMap((name) => urlOf(name)?.key ?? []) as UrlKey[];

/** For the query string of a page: these keys, kept as written. */
export const SETTING_FIELDS = fieldsOf(SETTING_NAMES);

function fieldsOf(names: readonly SettingName[]): Record<UrlKey, z.ZodType<string, string>> {
  const fields: Partial<Record<UrlKey, z.ZodType<string, string>>> = {};
  for (const name of names) {
    const url = urlOf(name);
    if (url !== undefined) fields[url.key as UrlKey] = z.string().refine((text) => url.schema.safeParse(text).success);
  }
  return fields as Record<UrlKey, z.ZodType<string, string>>;
}

export function textsOf(names: readonly SettingName[], search: SettingTexts): SettingTexts {
  const keys = names.flatMap((name) => urlOf(name)?.key ?? []) as UrlKey[];
  return Object.fromEntries(keys.map((key) => [key, search[key]]));
}

export function settingTexts(values: Partial<Settings>): SettingTexts {
  const texts: [string, string | undefined][] = [];
  for (const name of SETTING_NAMES) {
    const url = urlOf(name);
    if (url !== undefined && name in values) texts.push([url.key, url.write(values[name])]);
  }
  return Object.fromEntries(texts);
}

/** The settings of these names: as an address says, otherwise as stored. */
export function settingsOf<N extends SettingName>(
  names: readonly N[],
  search: SettingTexts,
  stored: Pick<Settings, N>,
): Pick<Settings, N> {
  const read = names.map((name) => {
    const url = urlOf(name);
    const text = url && search[url.key as UrlKey];
    const value = text === undefined ? undefined : url?.schema.safeParse(text);
    return [name, value?.success === true ? value.data : stored[name]];
  });
  return Object.fromEntries(read) as Pick<Settings, N>;
}
