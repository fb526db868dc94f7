/** Anything that may name a machine: any URL, a dotted name or IPv4 address, `localhost`, an IPv6 address in any form. */
const HOSTS = new RegExp(
  [
    String.raw`\b[a-z][a-z\d+.-]*:\/\/\S+`,
    String.raw`\[[\da-f]*:[\da-f:.]+\](?::\d+)?`,
    String.raw`(?<![\w:-])(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::[\da-f]{1,4}(?::[\da-f]{1,4})*\b`,
    String.raw`\b(?:[\da-f]{1,4}:){7}[\da-f]{1,4}\b`,
    String.raw`\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b`,
    String.raw`\b(?:[a-z\d](?:[a-z\d_-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z](?::\d+)?\b`,
    String.raw`\blocalhost(?::\d+)?\b`,
  ].join('|'),
  'gi',
);

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

const TEXT_LENGTH_MAX = 300;

/** Returns an upstream message on one line, with everything masked that could name a host or contain a key (D1, D16). */
export function redacted(text: string): string {
  const line = text
    .slice(0, 4 * TEXT_LENGTH_MAX)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.replaceAll(HOSTS, '[host]').replaceAll(SECRETS, '[secret]').slice(0, TEXT_LENGTH_MAX);
}
