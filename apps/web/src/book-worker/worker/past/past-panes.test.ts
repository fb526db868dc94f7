import { L4Book } from '@l4desk/book';
import { History } from '@l4desk/insight';
import { BusyFeed } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import type { Shown } from '../shown.ts';
import { life } from './past-panes.ts';

it('reports the life of an order from the current history only, not from an earlier one', () => {
  const feed = new BusyFeed(200);
  const start = L4Book.build('BTC', feed.levels()).book;
  const whole = new History('BTC');
  whole.begin(start, feed.start, '');
  const batches = Array.from({ length: 20 }, () => feed.block());
  for (const batch of batches) whole.add(batch);
  const left = must(
    batches.flatMap(({ changes }) => changes).find(({ kind }) => kind === 'remove'),
    'removal',
  );
  // The same minutes, kept only from their last block on.
  const late = new History('BTC');
  late.begin(whole.newestBook(), whole.markAt(whole.last), '');

  const lifeIn = (line: History) => {
    const shown = { book: whole.newestBook(), past: { line } } as unknown as Shown;
    return life.open()(shown, { oid: left.oid })?.life;
  };
  expect(lifeIn(whole)).toMatchObject({ oid: left.oid, end: { act: 'remove' } });
  expect(lifeIn(late)).toBeNull();
});
