import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { must } from '../test-support/must.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** The tokens of a theme and palette, resolved as by the cascade of tokens.css. */
function tokens(theme: string, palette: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, selector = '', body = ''] of css.matchAll(/(:root[^{]*)\{([^}]*)\}/g)) {
    const wants = [...selector.matchAll(/\[data-(theme|palette|density)=["']([^"']+)["']\]/g)];
    const holds = wants.every(([, name, value]) => value === { theme, palette, density: 'compact' }[name ?? '']);
    if (!holds) continue;
    for (const [, name = '', light = '', dark = ''] of body.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g))
      found[name] = theme === 'light' ? light : dark;
  }
  return found;
}

/** WCAG relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** Text colours and the surfaces they are used on. */
const TEXTS: readonly [text: string, surfaces: readonly string[]][] = [
  ['text', ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'accent-soft', 'bid-depth', 'ask-depth']],
  ['text-strong', ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'accent-soft', 'bid-depth', 'ask-depth']],
  ['text-dim', ['surface-0', 'surface-1', 'surface-2', 'accent-soft', 'bid-depth', 'ask-depth']],
  ['accent', ['surface-0', 'surface-1']],
  ['on-accent', ['accent']],
  ['exact', ['surface-0', 'surface-1']],
  ['stale', ['surface-0', 'surface-1', 'surface-2']],
  ['watched', ['surface-0', 'surface-1', 'surface-2', 'accent-soft']],
  ['bid', ['surface-0', 'surface-1', 'surface-2', 'accent-soft']],
  ['ask', ['surface-0', 'surface-1', 'surface-2', 'accent-soft']],
  ...['grey', 'blue', 'orange', 'green', 'magenta', 'yellow'].map((name): [string, string[]] => [
    `wallet-${name}`,
    ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'accent-soft'],
  ]),
  // The letter at the end of a line has the line's colour.
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((place): [string, string[]] => [`series-${place}`, ['surface-0', 'surface-1']]),
];

/** Marks: bars, edges of controls, the focus outline. */
const MARKS: readonly [mark: string, surfaces: readonly string[]][] = [
  ['bid-mark', ['surface-0', 'surface-1']],
  ['ask-mark', ['surface-0', 'surface-1']],
  ['edge', ['surface-0', 'surface-1']],
  ['accent', ['surface-0', 'surface-1', 'surface-2', 'surface-3']],
  ['stale', ['surface-0', 'surface-1']],
];

it('for people who ask for more contrast, dim texts have that of texts, and lines that of edges', () => {
  const [, body] = /@media \(prefers-contrast: more\) \{\s*:root\[data-theme\] \{([^}]*)\}/.exec(css) ?? [];
  expect(body?.match(/--.*;/g)).toEqual(['--text-dim: var(--text);', '--line: var(--edge);']);
});

describe.each(['dark', 'light'])('%s', (theme) => {
  describe.each(['teal-coral', 'blue-orange', 'mono', 'east-asian'])('%s', (palette) => {
    const colours = tokens(theme, palette);
    const colour = (name: string) => must(colours[name], `token ${name}`);

    it.each(TEXTS)('text %s has contrast of at least 4.5:1', (text, surfaces) => {
      for (const surface of surfaces) {
        expect(contrast(colour(text), colour(surface)), `on ${surface}`).toBeGreaterThanOrEqual(4.5);
      }
    });

    it.each(MARKS)('mark %s has contrast of at least 3:1', (mark, surfaces) => {
      for (const surface of surfaces) {
        expect(contrast(colour(mark), colour(surface)), `on ${surface}`).toBeGreaterThanOrEqual(3);
      }
    });

    it('can tell bid and ask apart without colour', () => {
      // By position everywhere; also by lightness where stripes are the only other difference.
      const least = palette === 'mono' ? 1.6 : 1;
      expect(contrast(colour('bid-mark'), colour('ask-mark'))).toBeGreaterThanOrEqual(least);
      expect(colour('bid')).not.toBe(colour('ask'));
    });
  });
});
