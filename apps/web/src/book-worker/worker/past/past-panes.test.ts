import { L4Book } from '@l4desk/book';
import { History } from '@l4desk/insight';
import { BusyFeed } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import type { ShownBook } from '../panes/pane-context.ts';
import type { Past } from './past.ts';
import { lifePane } from './past-panes.ts';

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

  const past = { line: whole };
  const pane = lifePane(past as Past);
  const { height, time: blockTime, seq, epoch } = whole.markAt(whole.last);
  const shown: ShownBook = { book: whole.newestBook(), position: { height, seq, epoch, blockTime }, frozen: true };
  const lifeOf = (serial: number) => {
    const turn = pane.respond(shown, { serial, oid: left.oid }, { at: serial, clock: blockTime });
    return turn === undefined || turn === 'later' ? undefined : turn.response.life;
  };
  expect(lifeOf(1)).toMatchObject({ oid: left.oid, end: { act: 'remove' } });
  past.line = late;
  expect(lifeOf(2)).toBeNull();
});
