import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';

/**
 * Loads the page's fonts into a worker, which has its own set of fonts. Until `onLoaded` is called, nothing may be drawn with
 * them: a worker's canvas keeps using the fallback that it drew in place of a font that was not loaded yet.
 */
export function loadFaces(onLoaded: () => void): void {
  const faces = [
    new FontFace('JetBrains Mono Variable', `url(${mono})`, { weight: '100 800' }),
    new FontFace('Inter Variable', `url(${inter})`, { weight: '100 900' }),
  ];
  const { fonts } = self as unknown as { readonly fonts: FontFaceSet };
  for (const face of faces) fonts.add(face);
  // If a font cannot be loaded, the next one in the list is used, so every number is still drawn.
  void Promise.allSettled(faces.map((face) => face.load())).then(onLoaded);
}

/** A font list without the fonts that must be loaded: only the system fonts after them. */
export function withoutFaces(font: string): string {
  return font.replaceAll(/"[^"]+", /g, '');
}
