import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createId, createKey, createToken, equalHashes, keyHash, sha256 } from './keys.ts';

describe('keys', () => {
  it.each([
    ['api', 'l4k_'],
    ['service', 'l4s_'],
  ] as const)('a key of kind %s begins with %s and holds 256 random bits', (kind, prefix) => {
    const made = createKey(kind);
    expect(made.key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    expect(made.prefix).toBe(prefix);
    expect(made.key.endsWith(made.lastFour)).toBe(true);
    expect(62n ** 43n > 2n ** 256n).toBe(true);
    expect(createKey(kind).key).not.toBe(made.key);
  });

  it('stores only the SHA-256 of a key', () => {
    const { key, secretHash } = createKey('api');
    expect(secretHash).toBe(sha256(key));
    expect(keyHash(key)).toBe(secretHash);
    expect(secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('detects a mistyped key by its checksum', () => {
    const { key } = createKey('api');
    fc.assert(
      fc.property(fc.integer({ min: 4, max: key.length - 1 }), fc.constantFrom('0', 'A', 'z', '9'), (place, letter) => {
        const typed = key.slice(0, place) + letter + key.slice(place + 1);
        expect(keyHash(typed)).toBe(typed === key ? sha256(key) : undefined);
      }),
    );
  });

  it('returns no hash for text that is not a key', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(keyHash(text)).toBeUndefined();
      }),
    );
  });
});

it('tokens and ids do not repeat', () => {
  const { token, hash } = createToken();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(hash).toBe(sha256(token));
  expect(new Set(Array.from({ length: 1000 }, () => createId('key'))).size).toBe(1000);
});

it('hashes are compared by every character', () => {
  const hash = sha256('a');
  expect(equalHashes(hash, sha256('a'))).toBe(true);
  expect(equalHashes(hash, sha256('b'))).toBe(false);
  expect(equalHashes(hash, hash.slice(1))).toBe(false);
});
