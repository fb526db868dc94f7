import { describe, expect, it } from 'vitest';
import { Audit } from './audit.ts';
import { L4Book } from './l4-book.ts';
import { insert, remove, resize, smallLevels } from './test-support/changes.ts';

/** A live book at position 10 and the blocks that follow, with the snapshots that a correct source would return. */
function liveBook() {
  const { book } = L4Book.build('BTC', smallLevels());
  const blocks = [
    [11, [insert(20, '1.0'), remove(1)]],
    [12, [resize(2, '2.0', '1.5')]],
    [13, [remove(20), insert(21, '4.0', { before: 3 })]],
  ] as const;
  return { book, blocks };
}

describe('Audit', () => {
  it.each([10, 11, 12, 13])(
    '[UP-10] fast-forwards a snapshot of position %i to the live book and finds it equal',
    (at) => {
      const { book, blocks } = liveBook();
      const audit = new Audit(10);
      let levels = book.levels();
      for (const [position, changes] of blocks) {
        expect(book.apply(changes, [], 0)).toEqual([]);
        audit.record(position, changes);
        if (position <= at) levels = book.levels();
      }
      expect(audit.check({ position: at, levels }, book, 13)).toEqual({ kind: 'equal', position: 13 });
    },
  );

  it('[UP-10] finds a loss that left no other trace', () => {
    const { book, blocks } = liveBook();
    const audit = new Audit(10);
    const truth = L4Book.build('BTC', book.levels()).book;
    truth.apply([insert(30, '1.0', { px: '50.0' })], [], 0);
    const levels = truth.levels();
    for (const [position, changes] of blocks) {
      book.apply(changes, [], 0);
      audit.record(position, changes);
    }
    expect(audit.check({ position: 10, levels }, book, 13)).toMatchObject({
      kind: 'different',
      position: 13,
      difference: { side: 'B', place: 4, field: 'oid', expected: { oid: 30 }, actual: null },
    });
  });

  it('[UP-10] changes neither the live book nor the snapshot', () => {
    const { book } = liveBook();
    const sum = book.checksum();
    const levels = smallLevels();
    new Audit(10).check({ position: 10, levels }, book, 10);
    expect(book.checksum()).toBe(sum);
    expect(levels).toEqual(smallLevels());
  });

  it('[UP-10] reports a finding if the blocks do not fit the snapshot', () => {
    const { book, blocks } = liveBook();
    const audit = new Audit(10);
    const levels = [smallLevels()[0].slice(1), smallLevels()[1]] as const;
    for (const [position, changes] of blocks) {
      book.apply(changes, [], 0);
      audit.record(position, changes);
    }
    expect(audit.check({ position: 10, levels }, book, 13)).toEqual({
      kind: 'finding',
      findings: [{ kind: 'unknown-oid', change: 'remove', oid: 1 }],
    });
  });

  it('[UP-10] reports a finding if the snapshot is not a valid book', () => {
    const { book } = liveBook();
    const [bids, asks] = smallLevels();
    const verdict = new Audit(10).check({ position: 10, levels: [[...bids, ...bids], asks] }, book, 10);
    expect(verdict.kind).toBe('finding');
  });

  it('asks to wait if the snapshot is newer than the live book', () => {
    const { book, blocks } = liveBook();
    const audit = new Audit(10);
    const truth = L4Book.build('BTC', book.levels()).book;
    for (const [, changes] of blocks) truth.apply(changes, [], 0);
    const snapshot = { position: 13, levels: truth.levels() };
    expect(audit.check(snapshot, book, 10)).toEqual({ kind: 'ahead', position: 13 });
    for (const [position, changes] of blocks) {
      book.apply(changes, [], 0);
      audit.record(position, changes);
    }
    expect(audit.check(snapshot, book, 13)).toEqual({ kind: 'equal', position: 13 });
  });

  it('gives no verdict for a snapshot older than the audit', () => {
    const { book } = liveBook();
    expect(new Audit(10).check({ position: 9, levels: smallLevels() }, book, 10)).toEqual({
      kind: 'too-old',
      position: 9,
    });
  });

  it('records no more than its bound', () => {
    const { book, blocks } = liveBook();
    const audit = new Audit(10, 4);
    for (const [position, changes] of blocks) {
      book.apply(changes, [], 0);
      audit.record(position, changes);
    }
    expect(audit.check({ position: 10, levels: smallLevels() }, book, 13)).toEqual({ kind: 'overrun' });
  });
});
