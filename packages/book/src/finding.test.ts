import { expect, it } from 'vitest';
import { describeFinding, type Finding } from './finding.ts';

it.each<[Finding, string]>([
  [{ kind: 'unknown-oid', change: 'resize', oid: 7 }, 'resize of order 7, which does not rest'],
  [{ kind: 'duplicate-oid', oid: 7 }, 'order 7 already rests'],
  [
    { kind: 'unknown-neighbour', oid: 7, insertBefore: 8 },
    'order 7 is to rest in front of 8, which does not rest at that price',
  ],
  [
    { kind: 'size-mismatch', oid: 7, said: '1.0', resting: '2.0' },
    'order 7 is said to have size 1.0 but rests with 2.0',
  ],
  [{ kind: 'side-mismatch', oid: 7, said: 'B', resting: 'A' }, 'order 7 is said to be on side B but rests on A'],
  [{ kind: 'price-mismatch', oid: 7, said: '1.0', resting: '2.0' }, 'order 7 is said to rest at 1.0 but rests at 2.0'],
  [{ kind: 'empty-insert', oid: 7 }, 'new order 7 has size zero'],
  [{ kind: 'bad-amount', oid: 7, field: 'px', text: '-1' }, 'px of order 7 is not a non-negative decimal: "-1"'],
  [{ kind: 'misplaced', oid: 7, side: 'A' }, 'order 7 is out of price order on side A'],
  [{ kind: 'crossed', bid: '2', ask: '1' }, 'the book is crossed: bid 2, ask 1'],
])('describeFinding describes %j in a sentence', (finding, sentence) => {
  expect(describeFinding(finding)).toBe(sentence);
});
