import Negotiator from 'negotiator';

/** The encodings of our responses, best first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** What a client that says `*` gets first: everybody who says so reads gzip, but perhaps not brotli. */
const ENCODINGS_OF_ANY = ['gzip', 'br', 'identity'] as const;

export type AcceptedEncoding = (typeof ENCODINGS)[number];

/** What its type declarations leave out: which encoding wins among those a client likes equally. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The encoding of a response to a request with this `Accept-Encoding`; `identity` where nothing that is available is wanted. */
export function chooseEncoding(
  header: string | undefined,
  available: readonly AcceptedEncoding[] = ENCODINGS,
): AcceptedEncoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const preferred = header?.includes('*') === true ? ENCODINGS_OF_ANY : ENCODINGS;
  const chosen = negotiator.encoding(available, { preferred });
  return available.find((encoding) => encoding === chosen) ?? 'identity';
}
