import { followTokens, tokenColours } from './token-colours.ts';

/** Colours of texts, marks, bars and lines, by the names of their tokens. */
const TONES = [
  'text',
  'text-strong',
  'text-dim',
  'bid',
  'ask',
  'bid-mark',
  'ask-mark',
  'stale',
  'wallet-grey',
  'wallet-blue',
  'wallet-orange',
  'wallet-green',
  'wallet-magenta',
  'wallet-yellow',
] as const;

const GROUNDS = ['surface-0', 'surface-2', 'accent', 'accent-soft', 'line'] as const;

export type Tone = (typeof TONES)[number];

/** Colours of what is drawn on canvases, read from the design tokens on the document. */
export type DrawTheme = Readonly<Record<Tone | (typeof GROUNDS)[number], string>>;

type Listener = (theme: DrawTheme) => void;

/** The theme as long as somebody follows it: it is read once for all of them. */
let followed: { theme: DrawTheme; readonly listeners: Set<Listener>; readonly end: () => void } | undefined;

/** The current theme; `onChange` is called with the next ones, until `stop` is called. */
export function followDrawTheme(onChange: Listener): { readonly theme: DrawTheme; readonly stop: () => void } {
  followed ??= follow();
  const { theme, listeners, end } = followed;
  listeners.add(onChange);
  return {
    theme,
    stop: () => {
      listeners.delete(onChange);
      if (listeners.size === 0) end();
    },
  };
}

function follow(): NonNullable<typeof followed> {
  const root = document.documentElement;
  const listeners = new Set<Listener>();
  const stop = followTokens(root, () => {
    if (followed === undefined) return;
    followed.theme = readDrawTheme(root);
    for (const listener of listeners) listener(followed.theme);
  });
  const end = () => {
    stop();
    followed = undefined;
  };
  return { theme: readDrawTheme(root), listeners, end };
}

function readDrawTheme(root: HTMLElement): DrawTheme {
  const colourOf = tokenColours(root);
  const colours = [...TONES, ...GROUNDS].map((name) => [name, colourOf(name)]);
  return Object.fromEntries(colours) as DrawTheme;
}
