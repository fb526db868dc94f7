/** Colours and faces of the canvas, read from the design tokens on the document. */
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
  readonly numberFont: string;
  readonly smallFont: string;
  readonly headingFont: string;
}

export interface SideTheme {
  readonly text: string;
  readonly mark: string;
  /** The folded tail of a queue. */
  readonly tail: string;
  /** Depth behind the numbers. */
  readonly depth: string;
  /** Drawn as stripes, so that lightness is not the only difference. */
  readonly striped: boolean;
}

/** Reads the tokens as they are now; call again when theme, density or palette change. */
export function readTheme(root: HTMLElement): CanvasTheme {
  const style = getComputedStyle(root);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const striped = root.dataset.palette === 'mono';
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
    numberFont: `450 ${size}px "JetBrains Mono Variable", ui-monospace, monospace`,
    smallFont: '450 11px "JetBrains Mono Variable", ui-monospace, monospace',
    headingFont: '450 11px "Inter Variable", system-ui, sans-serif',
  };
}
