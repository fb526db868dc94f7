import { describe, expect, it } from 'vitest';
import { ask, bid } from '../test-support/changes.ts';
import { appendAll, ENGINES } from '../test-support/engine-book.ts';
import { murmur128 } from '../test-support/murmur.ts';
import { BookHash } from './checksum.ts';

function hashOf(text: string): string {
  const hash = new BookHash();
  hash.out.text(text);
  return hash.digest();
}

describe('checksum', () => {
  it.each([
    ['', '00000000000000000000000000000000'],
    ['abc', '75cdc6d1a2b006a5a2b006a5a2b006a5'],
    ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ])('hashes %j to the published value', (text, sum) => {
    expect(murmur128(text)).toBe(sum);
    expect(hashOf(text)).toBe(sum);
  });

  it('hashes with MurmurHash3 x86 128 at every length', () => {
    let text = '';
    for (let length = 0; length < 70; length += 1) {
      expect(hashOf(text)).toBe(murmur128(text));
      text += String.fromCharCode(33 + ((length * 7) % 90));
    }
  });

  it('hashes texts longer than its buffer piece by piece', () => {
    const line = 'B 81307 412036241776 0.18385';
    const hash = new BookHash();
    for (let count = 0; count < 10_000; count += 1) {
      hash.out.text(line);
      hash.endLine();
    }
    expect(hash.digest()).toBe(murmur128(`${line}\n`.repeat(10_000)));
  });

  it.each(ENGINES)('%s: one line per order with side, price, oid and size in shortest form', (_name, create) => {
    const engine = create();
    const bids = [bid(412036241776, '81307.0', '0.18385'), bid(2, '81307.0', '100'), bid(3, '0.00010', '0.0')];
    appendAll(engine, [bids, [ask(4, '81308', '10.50')]]);
    const text = 'B 81307 412036241776 0.18385\nB 81307 2 100\nB 0.0001 3 0\nA 81308 4 10.5\n';
    expect(engine.checksum()).toBe(murmur128(text));
  });
});
