import type { DecimalString, Updates } from '@l4desk/protocol';
import { documentedChecksum } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

const { checksum } = await documentedChecksum();

/** A batch with the checksum of the service's own book in each entry. */
function summed({ service }: Following, updates: Updates): Updates {
  const book_diffs = updates.book_diffs.map((entry) => {
    return { ...entry, checksum: checksum(service.snapshot(entry.coin).levels) };
  });
  return { ...updates, book_diffs };
}

/** The same batch with the size of its first new order changed. Undefined if it has no new order. */
function spoiled(updates: Updates): Updates | undefined {
  const [entry, ...others] = updates.book_diffs;
  const at = entry?.book_diffs.findIndex(({ raw_book_diff: raw }) => typeof raw === 'object' && 'new' in raw) ?? -1;
  const diff = entry?.book_diffs[at];
  if (entry === undefined || diff === undefined) return undefined;
  const wrong = { ...diff, raw_book_diff: { new: { sz: '0.00099' as DecimalString } } };
  return { ...updates, book_diffs: [{ ...entry, book_diffs: entry.book_diffs.with(at, wrong) }, ...others] };
}

describe('the checksum of each entry', () => {
  it('is compared at every block, and the view reports up to which height the book is proved', async () => {
    await using following = await Following.start({ coins: ['A', 'B'] });
    const { service, follower, events } = following;
    await Promise.all([following.live('A'), following.live('B')]);
    expect(follower.coin('A')?.provedHeight).toBeUndefined();
    for (let count = 0; count < 20; count += 1) {
      service.send(summed(following, service.make(['A', 'B'])));
      await Promise.all([following.live('A'), following.live('B')]);
      for (const coin of ['A', 'B']) expect(follower.coin(coin)?.provedHeight).toBe(service.height);
    }
    service.block(['A']);
    await following.live('A');
    expect(follower.coin('A')?.provedHeight).toBe(service.height - 1);
    expect(events.seen.some((event) => event.kind === 'state' && event.state.reason === 'audit')).toBe(false);
  });

  it('detects a wrong size at the block that has it, and refetches the book', async () => {
    await using following = await Following.start({ coins: ['A'] });
    const { service, events } = following;
    await following.live('A');
    let wrong: Updates | undefined;
    while (wrong === undefined) {
      const right = summed(following, service.make(['A']));
      wrong = spoiled(right);
      service.send(wrong ?? right);
      if (wrong === undefined) await following.live('A');
    }
    const { block_height: height } = wrong;
    await events.until(() => events.seen.some((event) => event.kind === 'book' && event.book.revision === 0));
    await events.until(() => events.seen.some((event) => event.kind === 'state' && event.state.reason === 'audit'));
    const lost = events.seen.find((event) => event.kind === 'state' && event.state.reason === 'audit');
    expect(lost).toMatchObject({ state: { kind: 'rebuilding' }, previous: { kind: 'live' } });
    expect(lost?.kind === 'state' ? lost.state.detail : '').toContain(`after block ${height} the checksum`);
    const expected = wrong.book_diffs[0]?.checksum;
    const disproved = events.seen.filter((event) => event.kind === 'disproved');
    expect(disproved).toEqual([{ kind: 'disproved', coin: 'A', height, expected, actual: expect.any(String) }]);
    await following.live('A');
    expect(following.difference('A')).toBeUndefined();
    // The block itself was never delivered as part of an exact book.
    expect(events.seen.some((event) => event.kind === 'block' && event.batch.height === height)).toBe(false);
  });

  it('is not requested if switched off', async () => {
    await using following = await Following.start({ coins: ['A'], checksum: false });
    await following.live('A');
    expect(following.service.said[0]?.subscription).not.toHaveProperty('checksum');
  });
});
