import { DECIMAL_PATTERN, decimalString, writtenAddress, z } from '@l4desk/protocol';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** A parameter of the address, parsed from text. A value that the schema rejects counts as absent and is named in a notice. */
type SearchField = z.ZodType<unknown, string>;
type SearchFields = Readonly<Record<string, SearchField>>;

/** The parsed parameters of a page's address; undefined for one that is absent or invalid. */
export type Choices<F extends SearchFields> = { readonly [K in keyof F]?: z.output<F[K]> | undefined };

type SearchTexts<F extends SearchFields> = { readonly [K in keyof F]?: string | undefined };

/** The query string of one page. */
export interface PageSearch<F extends SearchFields> {
  /** For the route's `validateSearch`: keeps the texts as written, so that nothing is lost before the user changes it. */
  readonly schema: z.ZodType<SearchTexts<F>, SearchTexts<F>>;
  readonly read: (search: object) => Choices<F>;
  /** The parameters that the page cannot parse, as written: `tick=banana`. */
  readonly invalid: (search: object) => readonly string[];
}

/** Declares a page's query string: `pageSearch({ q: searchText, side: z.enum(['B', 'A']) })`. */
export function pageSearch<F extends SearchFields>(fields: F): PageSearch<F> {
  const names = Object.keys(fields) as (keyof F & string)[];
  return {
    schema: z.custom<SearchTexts<F>>().transform((search) => texts(search, names)),
    read: (search) => {
      const given = texts(search, names);
      const read: Partial<Record<keyof F, unknown>> = {};
      for (const name of names) {
        const text = given[name];
        const value = text === undefined ? undefined : fields[name]?.safeParse(text);
        if (value?.success) read[name] = value.data;
      }
      return read as Choices<F>;
    },
    invalid: (search) =>
      names.flatMap((name) => {
        const text = texts(search, names)[name];
        return text === undefined || fields[name]?.safeParse(text).success ? [] : [`${name}=${text}`];
      }),
  };
}

function texts<K extends string>(search: object, names: readonly K[]): { readonly [N in K]?: string } {
  const given = new Map<string, unknown>(Object.entries(search));
  const found: { [N in K]?: string } = {};
  for (const name of names) {
    const text = given.get(name);
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}

/**
 * A value as parameter text: lists as `searchList` reads them, `1` for true; undefined for undefined, false, empty lists and
 * texts.
 */
export function searchTextOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(itemText).join(',');
  if (value === true) return '1';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A change that opens something added the entry; it stays marked when that is closed. */
    readonly isOpened?: true;
  }
}

/** What a change of the address does to the browser history. */
export type ChangeHow = 'replace' | 'push' | 'open';

export interface PageChoices<F extends SearchFields> {
  readonly choices: Choices<F>;
  readonly invalid: readonly string[];
  /**
   * Writes values into the address; undefined removes a parameter. `push` adds an entry to the browser history. So does `open`, for
   * something that Back closes; but if it was closed otherwise, its entry serves for the next one, so that no Back does nothing
   * more than once.
   */
  readonly change: (next: Choices<F>, how?: ChangeHow) => void;
  /** Removes the parameters that could not be parsed from the address. */
  readonly clean: () => void;
  /**
   * `invalid` and `clean`, extended by parameters that the page itself rejects, as written: values that pass the schema but
   * refer to nothing, such as an unknown column.
   */
  readonly refusing: (refused: readonly string[]) => {
    readonly invalid: readonly string[];
    readonly clean: () => void;
  };
}

/** The parsed query string of the open page. Page state that a link should carry lives here and nowhere else. */
export function usePageSearch<F extends SearchFields>(definition: PageSearch<F>): PageChoices<F> {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const { history } = useRouter();
  const change = useCallback(
    (next: Choices<F>, how: ChangeHow = 'replace') => {
      const isAdded = how === 'push' || (how === 'open' && history.location.state.isOpened !== true);
      const state = how === 'push' ? {} : how === 'open' ? ({ isOpened: true } as const) : true;
      const written = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, searchTextOf(value)]));
      void navigate({ to: '.', search: (now: object) => ({ ...now, ...written }), replace: !isAdded, state });
    },
    [navigate, history],
  );
  return useMemo(() => {
    const choices = definition.read(search);
    const invalid = definition.invalid(search);
    const refusing = (refused: readonly string[]) => {
      const all = [...new Set([...invalid, ...refused])];
      const clean = () => {
        const gone = Object.fromEntries(all.map((text) => [text.slice(0, text.indexOf('=')), undefined]));
        void navigate({ to: '.', search: (now: object) => ({ ...now, ...gone }), replace: true });
      };
      return { invalid: all, clean };
    };
    return { choices, change, refusing, ...refusing([]) };
  }, [definition, search, change, navigate]);
}

/** Any text. */
export const searchText = z.string();

export const searchFlag = z.literal('1').transform(() => true);

export const searchWhole = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform((text) => Number.parseInt(text, 10))
    .pipe(z.int().min(min).max(max));

export const searchDecimal = z.string().regex(DECIMAL_PATTERN).pipe(decimalString);

/** Written in place of an empty item; an item that is a percent sign is written `%25`. */
const EMPTY_ITEM = '%';

function itemText(item: unknown): string {
  const text = String(item);
  return text === '' ? EMPTY_ITEM : text.replaceAll('%', '%25').replaceAll(',', '%2C');
}

function readItem(text: string): string {
  return text === EMPTY_ITEM ? '' : text.replaceAll('%2C', ',').replaceAll('%25', '%');
}

/** Comma-separated items without duplicates. A comma inside an item is written `%2C`, so that any text can be an item. */
export const searchList = <T extends string>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map(readItem))
    .pipe(z.array(item))
    .transform((items): readonly T[] => [...new Set(items)]);

/** A wallet address as people write it, in lower case. */
export const searchWallet = writtenAddress;

/** An existing UTC day, `2026-05-05`. */
export const searchDay = z.iso.date();

/** Parses and writes search parameters as plain text: `?tick=0.5` is the text `0.5`, never a number. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(key, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
