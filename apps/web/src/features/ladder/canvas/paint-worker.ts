import { loadFaces } from '../../../ui/draw/worker-faces.ts';
import { FrameRenderer, type OpenPainter, type ToPainter } from './frame-renderer.ts';

/** Entry point of the painting worker. */
let renderer: FrameRenderer | undefined;

self.addEventListener('message', ({ data }: MessageEvent<OpenPainter | ToPainter>) => {
  if (data.kind === 'open')
    renderer = new FrameRenderer(data.canvas, data.theme, (message) => self.postMessage(message));
  else renderer?.receive(data);
});

loadFaces(() => renderer?.remeasure());
