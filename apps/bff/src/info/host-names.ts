/** What may name a machine: an address of any scheme, a dotted name or number, `localhost`, an IPv6 address in brackets. */
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

/** Most characters of an upstream's message that are passed on. */
const TEXT_LENGTH_MAX = 300;

/** An upstream's own words on one line, without anything that could name a host (D1, D16). */
export function withoutHostNames(text: string): string {
  const line = text
    .slice(0, 4 * TEXT_LENGTH_MAX)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.replaceAll(HOSTS, '[host]').slice(0, TEXT_LENGTH_MAX);
}
