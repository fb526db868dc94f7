import { L4Book } from '@l4desk/book';
import { subtract } from '@l4desk/decimal';
import { describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import type { PanesFrame } from '../../panes.ts';
import { FakeWorker } from '../../test-support/fake-worker.ts';

/** The panes after the newest block, as the page has them next. */
function nextFrame(worker: FakeWorker): PanesFrame {
  worker.deliver();
  worker.runTimers();
  worker.postMessage({ kind: 'hold', hold: undefined });
  return must(worker.panes().at(-1), 'frame');
}

describe('the figures of the best prices', () => {
  it('are of each frame’s block, while the slower figures stay at an older one', () => {
    const worker = new FakeWorker();
    worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'panes', ask: { figures: { serial: 4 } } });
    const spreads = new Set<string>();
    const slow: unknown[] = [];
    for (let block = 0; block < 40; block += 1) {
      const frame = nextFrame(worker);
      const { book } = L4Book.build('BTC', worker.follower.levels('BTC'));
      const [bid, ask] = [must(book.best('B')?.px, 'bid'), must(book.best('A')?.px, 'ask')];
      expect(frame.touch?.spread).toBe(subtract(ask, bid));
      slow.push(frame.figures);
      spreads.add(must(frame.touch, 'touch').spread);
      worker.follower.block('BTC');
    }
    expect(slow.slice(1).every((figures) => figures === undefined)).toBe(true);
    expect(spreads.size).toBeGreaterThan(1);
  });

  it('are not computed unless requested', () => {
    const worker = new FakeWorker();
    worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
    worker.follower.goLive('BTC');
    expect(nextFrame(worker).touch).toBeUndefined();
  });
});
