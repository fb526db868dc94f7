import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CredentialKind } from './store.ts';

/** The name of each credential kind in messages, with its article. */
export const CREDENTIAL_NAME = { api: 'an API key', service: 'a ServiceKey' } as const satisfies Record<
  CredentialKind,
  string
>;

/** The beginning of a key, by which people and secret scanners recognise it. */
const KEY_PREFIX = { api: 'l4k_', service: 'l4s_' } as const satisfies Record<CredentialKind, string>;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 bits in base 62. */
const SECRET_LENGTH = 43;

/** Enough digits of a SHA-256 to detect a mistyped key without querying the database. */
const CHECKSUM_LENGTH = 6;

const KEY_PATTERN = new RegExp(`^(l4[ks]_)([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** A new key and what is stored of it. The key itself is shown once and never stored. */
export interface NewKey {
  readonly key: string;
  readonly secretHash: string;
  readonly prefix: string;
  readonly lastFour: string;
}

/** Creates a key of 256 random bits: `l4k_` or `l4s_`, the secret and a checksum, all letters and digits. */
export function createKey(kind: CredentialKind): NewKey {
  const prefix = KEY_PREFIX[kind];
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  const key = `${prefix}${secret}${checksum(prefix + secret)}`;
  return { key, secretHash: sha256(key), prefix, lastFour: key.slice(-4) };
}

/** The hash by which a key is looked up; undefined if the text is not a key. */
export function keyHash(text: string): string | undefined {
  const [, prefix = '', secret = '', sum = ''] = KEY_PATTERN.exec(text) ?? [];
  return prefix !== '' && sum === checksum(prefix + secret) ? sha256(text) : undefined;
}

/** Returns the part of a key that may be shown: `l4k_…x1Y2`. */
export function shownKey(key: { readonly prefix: string; readonly lastFour: string }): string {
  return `${key.prefix}…${key.lastFour}`;
}

/** Creates a random 256-bit token in base64url for a session or a sign-in link, with the hash that is stored. */
export function createToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** Returns the SHA-256 of a text's UTF-8 bytes in hexadecimal, the form in which secrets are stored. */
export function sha256(text: string): string {
  // A one-shot hash: every call hashes its key, and creating a `Hash` object costs more than the hash.
  return hash('sha256', text);
}

/** Whether two hashes are equal. The time taken does not reveal where they differ. */
export function equalHashes(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Returns a random row id: `acc_` (account), `key_` (credential) or `ses_` (session) and 64 bits in hexadecimal. */
export function createId(of: 'acc' | 'key' | 'ses'): string {
  return `${of}_${randomBytes(8).toString('hex')}`;
}

function checksum(text: string): string {
  return base62(BigInt(`0x${sha256(text).slice(0, 8)}`), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  for (let index = 0; index < length; index += 1) {
    digits = `${ALPHABET[Number(rest % 62n)] ?? ''}${digits}`;
    rest /= 62n;
  }
  return digits;
}
