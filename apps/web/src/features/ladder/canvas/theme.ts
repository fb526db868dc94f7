import { FORCED_COLOURS } from '../../../hooks/use-media.ts';
import { tokenColours } from '../../../ui/draw/token-colours.ts';
import type { WalletMarking } from '../../../wallets/marks.ts';
import { WALLET_COLOURS, type WalletColour } from '../../../wallets/wallet.ts';

export interface CanvasTheme {
  readonly surface: string;
  readonly hover: string;
  readonly selected: string;
  readonly line: string;
  readonly text: string;
  readonly strong: string;
  readonly dim: string;
  readonly accent: string;
  readonly bid: SideTheme;
  readonly ask: SideTheme;
  readonly wallets: Readonly<Record<WalletColour, string>>;
  readonly numberFont: string;
  readonly smallFont: string;
  readonly priceFont: string;
  readonly headingFont: string;
}

/** How a watched wallet is marked in the lanes, and its name in a row if there is room. */
export interface LaneMark extends Pick<WalletMarking, 'hue' | 'pattern' | 'letter'> {
  readonly name: string;
}

export interface SideTheme {
  readonly text: string;
  readonly mark: string;
  readonly tail: string;
  readonly depth: string;
  /** Drawn as stripes, so that lightness is not the only difference. */
  readonly striped: boolean;
}

/** Reads the current tokens; call again when `followTokens` reports a change. */
export function readTheme(root: HTMLElement): CanvasTheme {
  const token = tokenColours(root);
  const striped = root.dataset.palette === 'mono' || matchMedia(FORCED_COLOURS).matches;
  const side = (name: 'bid' | 'ask'): SideTheme => ({
    text: token(name),
    mark: token(`${name}-mark`),
    tail: token(`${name}-tail`),
    depth: token(`${name}-depth`),
    striped: striped && name === 'ask',
  });
  const size = root.dataset.density === 'comfortable' ? 13 : 12;
  return {
    surface: token('surface-0'),
    hover: token('surface-2'),
    selected: token('accent-soft'),
    line: token('line'),
    text: token('text'),
    strong: token('text-strong'),
    dim: token('text-dim'),
    accent: token('accent'),
    bid: side('bid'),
    ask: side('ask'),
    wallets: Object.fromEntries(
      WALLET_COLOURS.map((colour) => [colour, token(`wallet-${colour}`)]),
    ) as CanvasTheme['wallets'],
    numberFont: `450 ${size}px "JetBrains Mono Variable", ui-monospace, monospace`,
    smallFont: '450 11px "JetBrains Mono Variable", ui-monospace, monospace',
    priceFont: '600 16px "JetBrains Mono Variable", ui-monospace, monospace',
    headingFont: '450 11px "Inter Variable", system-ui, sans-serif',
  };
}

const FADED_SHARE = 0.8;

/**
 * The theme in grey and slightly fainter, for numbers that may no longer be true. Colours are replaced, not filtered: a
 * filter over the whole canvas costs several frames in a compositor without a graphics card.
 */
export function faded(theme: CanvasTheme): CanvasTheme {
  const fade = (value: unknown): unknown => {
    if (typeof value === 'string') return greyOver(value, theme.surface);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fade(part)]));
  };
  return fade(theme) as CanvasTheme;
}

/**
 * The grey with a colour's brightness, blended over a surface. Both are `#rrggbb`, as the tokens are; any other text, such as a
 * font, is returned unchanged.
 */
function greyOver(color: string, surface: string): string {
  const own = brightness(color);
  const ground = brightness(surface);
  if (own === undefined || ground === undefined) return color;
  const grey = Math.round(own * FADED_SHARE + ground * (1 - FADED_SHARE));
  return `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
}

function brightness(color: string): number | undefined {
  if (!/^#[\da-f]{6}$/i.test(color)) return undefined;
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
