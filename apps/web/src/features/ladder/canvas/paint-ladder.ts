import type { CanvasBook } from '../../../book-worker/worker/canvases.ts';
import { loadFaces, withoutFaces } from '../../../ui/draw/worker-faces.ts';
import { LadderScene } from './scene.ts';
import type { FromScene, OpenScene, ToScene } from './scene-types.ts';
import type { CanvasTheme } from './theme.ts';

let hasFaces = false;

const faces = new Promise<void>((resolve) => {
  loadFaces(() => {
    hasFaces = true;
    resolve();
  });
});

/** The theme with the fonts that the worker has so far. */
function drawable(theme: CanvasTheme): CanvasTheme {
  if (hasFaces) return theme;
  return {
    ...theme,
    numberFont: withoutFaces(theme.numberFont),
    smallFont: withoutFaces(theme.smallFont),
    priceFont: withoutFaces(theme.priceFont),
    headingFont: withoutFaces(theme.headingFont),
  };
}

export function paintLadder(port: MessagePort, book: CanvasBook): void {
  let scene: LadderScene | undefined;
  let theme: CanvasTheme | undefined;
  const post = (event: FromScene) => port.postMessage(event);
  port.addEventListener('message', ({ data }: MessageEvent<OpenScene | ToScene>) => {
    if (data.kind === 'open' || data.kind === 'theme') theme = data.theme;
    if (data.kind === 'open') scene = new LadderScene({ ...data, theme: drawable(data.theme) }, book, post);
    else scene?.receive(data.kind === 'theme' ? { ...data, theme: drawable(data.theme) } : data);
  });
  port.start();
  const drawWithFaces = async () => {
    await faces;
    if (theme !== undefined) scene?.receive({ kind: 'theme', theme });
  };
  void drawWithFaces();
}
