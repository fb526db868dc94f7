import { L4Book } from '@l4desk/book';
import { History } from '@l4desk/insight';
import { type CoinBatch, decodeUpdates } from '@l4desk/protocol';
import { Chance, SourceBook } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { Activity } from './activity.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';

/** The same, computed by visiting every kept block. */
function plainParts(line: History, count: number): readonly number[] {
  if (line.first < 0) return [];
  const counts = Array.from({ length: count }, () => 0);
  for (let place = line.first; place <= line.last; place += 1) {
    const passed = line.markAt(place).time - line.markAt(line.first).time;
    const whole = Math.max(1, line.markAt(line.last).time - line.markAt(line.first).time);
    const part = Math.min(count - 1, Math.floor((passed / whole) * count));
    counts[part] = (counts[part] ?? 0) + (line.blockAt(place)?.events().length ?? 0);
  }
  return counts;
}

it('counts the changes of all kept blocks while blocks and gaps arrive, old blocks go and the history restarts', () => {
  const chance = new Chance(4_711);
  const source = new SourceBook('BTC', chance, 40);
  const history = new History('BTC', { blocks: 60, changes: 500, stretches: 3 });
  const activity = new Activity(history);
  let [height, seq] = [100, 0];
  const begin = () => {
    const { book } = L4Book.build('BTC', source.levels());
    history.begin(book, { height, time: height * 67, epoch: EPOCH, seq }, 'lost');
  };
  const block = (): CoinBatch => {
    const { diffs, statuses } = source.block();
    height += chance.int(1, 4);
    seq += 1;
    const entry = { coin: 'BTC', seq, prev_seq: seq - 1, order_statuses: statuses, book_diffs: diffs };
    const updates = { time: height * 67, block_height: height, epoch: EPOCH, cursor: '', book_diffs: [entry] };
    return decodeUpdates(updates).coins[0] as CoinBatch;
  };
  expect(activity.parts(10)).toEqual([]);
  begin();
  let [oldest, gaps, empty] = [0, 0, 0];
  for (let round = 0; round < 600; round += 1) {
    const batch = block();
    // Sometimes a block is missed, or a batch that does not follow ends the whole history.
    if (history.first < 0 || chance.happens(0.03)) begin();
    else history.add(chance.happens(0.01) ? { ...batch, prevSeq: batch.prevSeq + 7 } : batch);
    if (history.first < 0) empty += 1;
    oldest = Math.max(oldest, history.first);
    gaps = Math.max(gaps, history.gaps.length);
    // Do not compare after every block.
    if (history.first >= 0 && chance.happens(0.6)) continue;
    const about = `seed ${chance.seed}, round ${round}`;
    expect({ about, parts: activity.parts(7) }).toEqual({ about, parts: plainParts(history, 7) });
  }
  expect(oldest).toBeGreaterThan(300);
  expect(gaps).toBe(2);
  expect(empty).toBeGreaterThan(0);
});
