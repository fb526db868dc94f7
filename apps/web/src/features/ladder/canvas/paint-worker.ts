import { loadFaces, withoutFaces } from '../../../ui/draw/worker-faces.ts';
import { FrameRenderer, type OpenPainter, type ToPainter } from './frame-renderer.ts';
import type { CanvasTheme } from './theme.ts';

/** Entry point of the painting worker. */
let renderer: FrameRenderer | undefined;
let theme: CanvasTheme | undefined;
let hasFaces = false;

self.addEventListener('message', ({ data }: MessageEvent<OpenPainter | ToPainter>) => {
  if (data.kind === 'open') {
    theme = data.theme;
    renderer = new FrameRenderer(data.canvas, drawable(theme), (message) => self.postMessage(message));
  } else if (data.kind === 'theme') {
    theme = data.theme;
    renderer?.receive({ kind: 'theme', theme: drawable(theme) });
  } else renderer?.receive(data);
});

loadFaces(() => {
  hasFaces = true;
  if (theme !== undefined) renderer?.receive({ kind: 'theme', theme });
  renderer?.remeasure();
});

/** The theme with only the fonts that have loaded. */
function drawable(of: CanvasTheme): CanvasTheme {
  if (hasFaces) return of;
  const { numberFont, smallFont, headingFont } = of;
  return {
    ...of,
    numberFont: withoutFaces(numberFont),
    smallFont: withoutFaces(smallFont),
    headingFont: withoutFaces(headingFont),
  };
}
