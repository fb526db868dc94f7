import { tokenColours } from '../draw/token-colours.ts';

/** Attributes that every mark of an image needs, because the page's styles do not apply to it. */
const KEPT = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

const LINE = 18;
const MARGIN = 12;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A line above the image: text, or a coin with a piece of its line. */
export interface Caption {
  readonly text: string;
  readonly colour?: string;
  readonly dash?: string | undefined;
}

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Charts that stand above each other on the page as one separate image: with their styles as attributes, and captions above. */
export function drawPicture(charts: readonly SVGSVGElement[], captions: readonly Caption[]): Picture {
  const width = Math.max(...charts.map((chart) => Math.ceil(chart.clientWidth)));
  const head = captions.length * LINE + 2 * MARGIN;
  const height = charts.reduce((sum, chart) => sum + Math.ceil(chart.clientHeight), head);
  const colourOf = tokenColours(document.documentElement);
  const root = document.createElementNS(NAMESPACE, 'svg');
  set(root, { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}` });
  root.append(make('rect', { width, height, fill: colourOf('surface-0') }));
  captions.forEach(({ text, colour, dash }, at) => {
    const y = MARGIN + (at + 0.75) * LINE;
    if (colour !== undefined) {
      const stroke = colourOf(colour.replace(/^var\(--(.+)\)$/, '$1'));
      const line = make('line', { x1: MARGIN, x2: MARGIN + 24, y1: y - 4, y2: y - 4, stroke, 'stroke-width': 2 });
      if (dash !== undefined) set(line, { 'stroke-dasharray': dash });
      root.append(line);
    }
    const words = make('text', {
      x: MARGIN + (colour === undefined ? 0 : 32),
      y,
      fill: colourOf('text'),
      'font-size': at === 0 ? 15 : 12,
      'font-family': 'Inter, system-ui, sans-serif',
    });
    words.textContent = text;
    root.append(words);
  });
  let top = head;
  for (const chart of charts) {
    const copy = chart.cloneNode(true);
    if (!(copy instanceof SVGSVGElement)) throw new Error('a copy of the chart is no chart');
    writeStyles(chart, copy);
    set(copy, { x: 0, y: top });
    root.append(copy);
    top += Math.ceil(chart.clientHeight);
  }
  return { svg: new XMLSerializer().serializeToString(root), width, height };
}

/** The image as PNG, with two pixels per CSS px. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  // The content security policy allows images from `data:`, not from `blob:`.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser made no picture')) : resolve(blob)),
      'image/png',
    );
  });
}

function writeStyles(from: Element, to: Element): void {
  const styles = getComputedStyle(from);
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (const name of KEPT) {
    const value = styles.getPropertyValue(name);
    if (value !== '') to.setAttribute(name, value);
  }
  for (let at = 0; at < from.children.length; at += 1) {
    const [source, target] = [from.children[at], to.children[at]];
    if (source !== undefined && target !== undefined) writeStyles(source, target);
  }
}

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  set(element, attributes);
  return element;
}

function set(element: SVGElement, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
