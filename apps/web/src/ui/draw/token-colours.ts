import { FORCED_COLOURS } from '../../hooks/use-media.ts';

/**
 * Returns a function that reads the colour of an opaque design token as `#rrggbb`, for a canvas or an image: a token is a pair of colours, or
 * with forced colours one of the system's, whose names a worker's canvas does not know.
 */
export function tokenColours(root: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('span');
    probe.style.cssText = `forced-color-adjust: none; color: var(--${name})`;
    root.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return hexOf(color);
  };
}

/** Calls `onChange` when the tokens may have changed, until the returned function is called. */
export function followTokens(root: HTMLElement, onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(root, { attributeFilter: ['data-theme', 'data-density', 'data-palette'] });
  const forced = matchMedia(FORCED_COLOURS);
  forced.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    forced.removeEventListener('change', onChange);
  };
}

/** `rgb(12, 15, 20)`, or `color(srgb 0.05 0.06 0.08)`, as `#0c0f14`. */
function hexOf(color: string): string {
  const scale = color.startsWith('color') ? 255 : 1;
  const parts = color.match(/[\d.]+/g)?.slice(0, 3) ?? [];
  return `#${parts
    .map((part) =>
      Math.round(Number(part) * scale)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
