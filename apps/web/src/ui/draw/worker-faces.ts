import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';

/** Loads the page's faces into a worker, which has faces of its own; tells each time that one has come. */
export function loadFaces(onFace: () => void): void {
  const faces = [
    new FontFace('JetBrains Mono Variable', `url(${mono})`, { weight: '100 800' }),
    new FontFace('Inter Variable', `url(${inter})`, { weight: '100 900' }),
  ];
  const { fonts } = self as unknown as { readonly fonts: FontFaceSet };
  for (const face of faces) {
    fonts.add(face);
    // Without the face the next one of the list draws: every number is there, in other letters.
    face.load().then(onFace, () => {});
  }
}
