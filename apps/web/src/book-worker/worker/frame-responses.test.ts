import { beforeEach, describe, expect, it } from 'vitest';
import { type LadderFrame, readFrame } from '../frame/read-frame.ts';
import type { FrameAsk } from '../messages.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

let worker: FakeWorker;

beforeEach(() => {
  worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  worker.follower.goLive('BTC');
});

const ask = (change: Partial<FrameAsk> = {}): FrameAsk => ({
  serial: 1,
  generation: 1,
  after: 0,
  tick: null,
  axis: null,
  slots: 20,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 4,
  notional: 'none',
  flow: false,
  ...change,
});

interface Received {
  readonly view: number;
  readonly frame: LadderFrame;
  /** The block of the panes' content, if the message carried panes. */
  readonly panes?: number;
}

/** Messages pending for the page, in order. */
const responses = () =>
  worker.waiting.flatMap((message): readonly Received[] => {
    if (message.kind === 'frame') return [{ view: 0, frame: readFrame(message.buffer), panes: message.panes.height }];
    return message.kind === 'rows' ? [{ view: message.view, frame: readFrame(message.buffer) }] : [];
  });

const asked = (view: number, change: Partial<FrameAsk> = {}) =>
  worker.postMessage({ kind: 'ask', view, ask: ask(change) });

describe('several ladders of one book', () => {
  it('each have their own request, grouping and rows, of the same block; the panes come with the first', () => {
    asked(1, { serial: 7, tick: '10' });
    asked(0, { serial: 3, tick: '1' });
    expect(responses().map(({ view, frame }) => [view, frame.serial, frame.tick, frame.height])).toEqual([
      [1, 7, '10', 100],
      [0, 3, '1', 100],
    ]);
    const after = responses().at(-1)?.frame.version ?? 0;
    worker.deliver();
    for (const view of [1, 0]) asked(view, { serial: 8, after, tick: view === 1 ? '10' : '1' });
    expect(responses()).toEqual([]);
    worker.follower.block('BTC');
    expect(responses().map(({ view, panes, frame }) => [view, panes, frame.height, frame.tick])).toEqual([
      [0, 101, 101, '1'],
      [1, undefined, 101, '10'],
    ]);
  });

  it('are paused together', () => {
    worker.postMessage({ kind: 'pause', paused: true });
    worker.follower.block('BTC');
    for (const view of [0, 1]) asked(view);
    expect(responses().map(({ frame }) => [frame.height, frame.frozen])).toEqual([
      [100, true],
      [100, true],
    ]);
  });

  it('keep the page awake when one of them is closed while the other is visible', async () => {
    for (const view of [0, 1]) asked(view);
    worker.postMessage({ kind: 'rest', view: 1 });
    worker.follower.now += 10_000;
    worker.runTimers();
    expect(worker.looks).toBe(1);
    await Promise.resolve();
    worker.postMessage({ kind: 'rest', view: 0 });
    worker.follower.now += 10_000;
    worker.runTimers();
    expect(worker.looks).toBe(1);
  });
});
