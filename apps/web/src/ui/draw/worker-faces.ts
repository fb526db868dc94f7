import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';

/**
 * Loads the page's faces into a worker, which has faces of its own. Until this calls back nothing may be drawn with them: what
 * a worker's canvas once drew in place of a face that was not there yet, it draws for ever.
 */
export function loadFaces(onLoaded: () => void): void {
  const faces = [
    new FontFace('JetBrains Mono Variable', `url(${mono})`, { weight: '100 800' }),
    new FontFace('Inter Variable', `url(${inter})`, { weight: '100 900' }),
  ];
  const { fonts } = self as unknown as { readonly fonts: FontFaceSet };
  for (const face of faces) fonts.add(face);
  // Without a face the next one of the list draws: every number is there, in other letters.
  void Promise.allSettled(faces.map((face) => face.load())).then(onLoaded);
}

/** A font without the faces that have to be loaded: those of the system that stand behind them. */
export function withoutFaces(font: string): string {
  return font.replaceAll(/"[^"]+", /g, '');
}
