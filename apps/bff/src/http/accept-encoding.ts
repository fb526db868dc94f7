import Negotiator from 'negotiator';

/** The supported response encodings, in order of preference. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** The order of preference for `*`: every client that sends it reads gzip, but perhaps not brotli. */
const ENCODINGS_OF_ANY = ['gzip', 'br', 'identity'] as const;

export type AcceptedEncoding = (typeof ENCODINGS)[number];

/** The `preferred` option, missing in Negotiator's type declarations: breaks ties between encodings of equal quality. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** Chooses a response encoding by the `Accept-Encoding` header; `identity` if no available encoding is accepted. */
export function chooseEncoding(
  header: string | undefined,
  available: readonly AcceptedEncoding[] = ENCODINGS,
): AcceptedEncoding {
  if (header === undefined) return 'identity';
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const preferred = header.includes('*') ? ENCODINGS_OF_ANY : ENCODINGS;
  const chosen = negotiator.encoding(available, { preferred });
  return available.find((encoding) => encoding === chosen) ?? 'identity';
}
