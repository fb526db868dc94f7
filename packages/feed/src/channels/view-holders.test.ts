import { type BookViewQuery, l2BookSubscription } from '@l4desk/protocol';
import { expect, test } from 'vitest';
import { ViewHolders } from './view-holders.ts';

test('a view is begun with its first watcher and ended with its last one, however often one of them leaves', () => {
  const told: string[] = [];
  const holders = new ViewHolders(
    ({ channel }) => told.push(`begin ${channel}`),
    ({ channel }) => told.push(`end ${channel}`),
  );
  const query: BookViewQuery = l2BookSubscription.parse({ type: 'l2Book', coin: 'BTC' });
  const [first, second] = [holders.watch(query), holders.watch(query)];
  first.release();
  first.release();
  expect([told, holders.queries]).toEqual([['begin l2Book'], [query]]);
  holders.update({ key: second.key, data: '1' });
  expect(second.data).toBe('1');
  second.release();
  expect([told, holders.queries]).toEqual([['begin l2Book', 'end l2Book'], []]);
  expect(holders.watch(query).data).toBeNull();
});
