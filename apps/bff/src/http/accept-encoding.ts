/** The encodings we can answer in, best first. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

export type AcceptedEncoding = (typeof OFFERED)[number];

/**
 * The encoding to answer in, from `Accept-Encoding`: the highest weight wins, our own preference among equals, and
 * plain text when nothing we have is wanted. `*` counts as gzip: everybody who says so can read it.
 */
export function chooseEncoding(header: string | undefined): AcceptedEncoding {
  if (header === undefined) return 'identity';
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(
      name === '*' ? 'gzip' : name === 'x-gzip' ? 'gzip' : name,
      /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0,
    );
  }
  let best: { readonly encoding: AcceptedEncoding; readonly weight: number } = { encoding: 'identity', weight: 0 };
  for (const encoding of OFFERED) {
    const weight = weights.get(encoding) ?? 0;
    if (weight > best.weight) best = { encoding, weight };
  }
  return best.encoding;
}
