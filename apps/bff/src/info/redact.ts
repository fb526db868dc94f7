/** Anything that may name a machine: any URL, a dotted name or IPv4 address, `localhost`, an IPv6 address in brackets. */
const HOSTS = new RegExp(
  [
    String.raw`\b[a-z][a-z\d+.-]*:\/\/\S+`,
    String.raw`\[[\da-f]*:[\da-f:.]+\](?::\d+)?`,
    String.raw`\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b`,
    String.raw`\b(?:[a-z\d](?:[a-z\d_-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z](?::\d+)?\b`,
    String.raw`\blocalhost(?::\d+)?\b`,
  ].join('|'),
  'gi',
);

/** A field name that marks a secret, such as `key`, `api_key` or `X-Api-Key`. */
const SECRET_NAME = String.raw`[\w-]*(?:key|token|secret|password|passwd|signature)`;

/** A secret that follows its name in a query, JSON or a header, or a bare key of this service. */
const SECRETS = new RegExp(
  [
    String.raw`(?<=\b${SECRET_NAME}=)[^\s&#]+`,
    String.raw`(?<=["']${SECRET_NAME}["']\s?:\s?)(?:"[^"]*"?|'[^']*'?)`,
    String.raw`(?<=\b(?:api-?key|authorization)\s?:\s?)(?:\w+ )?[^\s,;]+`,
    String.raw`(?<=\bbearer\s)[^\s,;]+`,
    String.raw`\bl4[ks]_\w+`,
  ].join('|'),
  'gi',
);

/** Maximum characters of an upstream message that are passed on. */
const TEXT_LENGTH_MAX = 300;

/** Returns an upstream message on one line, with everything masked that could name a host or contain a key (D1, D16). */
export function redacted(text: string): string {
  const line = text
    .slice(0, 4 * TEXT_LENGTH_MAX)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.replaceAll(HOSTS, '[host]').replaceAll(SECRETS, '[secret]').slice(0, TEXT_LENGTH_MAX);
}
