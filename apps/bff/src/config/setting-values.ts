import { isIP } from 'node:net';
import { isPostgresUrl } from '@l4desk/ledger';
import { z } from '@l4desk/protocol';

/** Schemas that parse the text of a setting. Messages complete the sentence "<NAME> …" and never contain the value. */

/** A whole number in the given range. */
export function whole(min: number, max: number): z.ZodType<number, string> {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
}

/** Text on a single line. */
export function text(lengthMax: number) {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(lengthMax, `must be at most ${lengthMax} characters long`)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters');
}

/** One of a few values. */
export function oneOf<const T extends string>(values: readonly [T, ...T[]]): z.ZodType<T, string> {
  return z.string().transform((value, context): T => {
    const word = values.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    context.addIssue({ code: 'custom', message: `must be ${values.join(', ')}` });
    return z.NEVER;
  });
}

/** Comma-separated values. Surrounding spaces are ignored; blank text is the empty list. */
export function list<T>(item: z.ZodType<T, string>): z.ZodType<readonly T[], string> {
  return z
    .string()
    .transform((value) => (value.trim() === '' ? [] : value.split(',').map((part) => part.trim())))
    .pipe(z.array(item));
}

/** A URL with one of these protocols, without credentials. `convert` returns undefined for one with this problem. */
function url(
  protocols: readonly string[],
  convert: (url: URL, text: string) => string | undefined,
  problem: string,
): z.ZodType<string, string> {
  const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return z.string().transform((text, context): string => {
    const fail = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const read = URL.canParse(text) ? new URL(text) : undefined;
    if (read === undefined || !protocols.includes(read.protocol) || read.hostname === '')
      return fail(`must be a URL that starts with ${wanted}`);
    if (read.username !== '' || read.password !== '') return fail('must not contain a user name or password');
    return convert(read, text) ?? fail(problem);
  });
}

/** Scheme, host and port of a site, as browsers send it in `Origin`. */
export const origin = url(
  ['http:', 'https:'],
  ({ origin, pathname }, text) => (pathname === '/' && !/[?#]/.test(text) ? origin : undefined),
  'must be only an origin, without a path, query or fragment',
);

/** A full endpoint URL with one of the given protocols, including the path. */
export function endpointUrl(...protocols: string[]): z.ZodType<string, string> {
  return url(protocols, ({ hash, href }) => (hash === '' ? href : undefined), 'must not have a fragment');
}

/** The URL of a PostgreSQL database, with user and password if it needs them. */
export const databaseUrl = z.string().refine((value) => {
  if (!isPostgresUrl(value) || !URL.canParse(value)) return false;
  const { hostname, pathname } = new URL(value);
  return hostname !== '' && /^\/[^/]+$/.test(pathname);
}, 'must be a URL like postgres://user:password@host:5432/database');

/** The URL of a NATS server, with user and password, or a token, if it needs them. */
export const natsUrl = z.string().refine((value) => {
  if (!URL.canParse(value)) return false;
  const { hostname, pathname, protocol } = new URL(value);
  return ['nats:', 'tls:'].includes(protocol) && hostname !== '' && ['', '/'].includes(pathname);
}, 'must be a URL like nats://user:password@host:4222');

/** The proxies trusted to report forwarded addresses: none, a number of proxies, or proxies with these addresses. */
export type TrustedProxies = false | number | readonly string[];

const NAMED_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

export const trustedProxies = z.string().transform((value, context): TrustedProxies => {
  if (value === 'false') return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const proxies = value.split(',').map((part) => part.trim());
  if (proxies.every((proxy) => NAMED_NETWORKS.has(proxy) || isAddressOrNetwork(proxy))) return proxies;
  context.addIssue({
    code: 'custom',
    message:
      'must be false, a number of proxies from 1 to 99, or IP addresses, networks or loopback, linklocal, uniquelocal',
  });
  return z.NEVER;
});

/** Rejects `/0`: trusting all addresses would let every client forge its own. */
function isAddressOrNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
