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

/** Reads the current tokens; call it again when theme or palette change. */
export function readDrawTheme(root: HTMLElement): DrawTheme {
  const style = getComputedStyle(root);
  const colours = [...TONES, ...GROUNDS].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return Object.fromEntries(colours) as DrawTheme;
}
