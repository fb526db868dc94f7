import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';
import { FrameRenderer, type OpenPainter, type ToPainter } from './frame-renderer.ts';

/** Entry point of the painting worker. A worker has faces of its own: the files are the page's. */
const faces = [
  new FontFace('JetBrains Mono Variable', `url(${mono})`, { weight: '100 800' }),
  new FontFace('Inter Variable', `url(${inter})`, { weight: '100 900' }),
];

let renderer: FrameRenderer | undefined;

self.addEventListener('message', ({ data }: MessageEvent<OpenPainter | ToPainter>) => {
  if (data.kind === 'open')
    renderer = new FrameRenderer(data.canvas, data.theme, (message) => self.postMessage(message));
  else renderer?.receive(data);
});

const { fonts } = self as unknown as { readonly fonts: FontFaceSet };
for (const face of faces) {
  fonts.add(face);
  // Without the face the next one of the list draws: every number is there, in other letters.
  face.load().then(
    () => renderer?.remeasure(),
    () => {},
  );
}
