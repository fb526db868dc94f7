import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { theme } from '../../../test-support/canvas.ts';
import { must } from '../../../test-support/must.ts';
import { paintPrice } from './paint-price.ts';
import type { FromPrice, PointedAt, ToPrice } from './price-messages.ts';

const [WIDTH, HEIGHT] = [400, 300];
const [Y, MIDDLE] = [HEIGHT / 2, WIDTH / 2];

let worker: FakeWorker;
let events: FromPrice[];
let post: (message: ToPrice) => void;

const drawsNothing = () => new Proxy({}, { get: () => () => {}, set: () => true });

/** Opens the map of two times half a minute, with a gap of half a minute between them. */
beforeEach(() => {
  vi.stubGlobal('ImageData', Object);
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = drawsNothing;
    },
  );
  vi.useFakeTimers();
  worker = new FakeWorker();
  worker.follow('BTC');
  for (const start of [{}, { height: 300, seq: 90 }]) {
    worker.follower.now += 30_000;
    worker.follower.goLive('BTC', start);
    worker.runTimers();
    worker.blocks(60, 500);
  }
  events = [];
  const port = Object.assign(new EventTarget(), {
    start: () => {},
    postMessage: (event: FromPrice) => events.push(event),
  });
  paintPrice(port as unknown as MessagePort, worker.openCanvas());
  post = (data) => void port.dispatchEvent(new MessageEvent('message', { data }));
  post({ kind: 'open', canvas: new OffscreenCanvas(1, 1), theme });
  post({ kind: 'size', width: WIDTH, height: HEIGHT, ratio: 1 });
  post({ kind: 'look', spanMs: 0, hues: [] });
  vi.runAllTimers();
  onTestFinished(() => {
    post({ kind: 'close' });
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

/** What is read after a message. */
function read(message: ToPrice): PointedAt | undefined {
  post(message);
  const last = events.findLast((event) => event.kind === 'readout');
  return last?.kind === 'readout' ? last.readout : undefined;
}

const point = (x: number, y = Y) => read({ kind: 'point', at: { x, y } });
const chosen = () => events.filter((event) => event.kind === 'chosen');

it('a drag that leaves the map ends at its edge', () => {
  const [first, last] = [must(point(1), 'first'), must(point(WIDTH - 1), 'last')];
  post({ kind: 'point', at: { x: WIDTH * 0.9, y: Y } });
  post({ kind: 'span', at: { x: WIDTH * 0.9, y: Y } });
  const from = must(point(WIDTH * 0.9), 'from');
  expect(point(WIDTH + 60, HEIGHT + 20)).toMatchObject({ height: last.height, span: { height: from.height } });
  expect(point(-60, -20)).toMatchObject({ height: first.height, span: { height: from.height } });
  post({ kind: 'choose', at: { x: -60, y: -20 } });
  expect(chosen()).toMatchObject([{ height: from.height, since: first.height }]);
});

it('a drag from where nothing is shown chooses nothing; a press after it does', () => {
  expect(point(MIDDLE)).toBeUndefined();
  post({ kind: 'span', at: { x: MIDDLE, y: Y } });
  const end = must(point(WIDTH - 20), 'end');
  post({ kind: 'choose', at: { x: WIDTH - 20, y: Y } });
  expect(chosen()).toEqual([]);
  post({ kind: 'choose', at: { x: WIDTH - 20, y: Y } });
  expect(chosen()).toMatchObject([{ height: end.height, since: undefined }]);
});

it('blocks that come faster than they are drawn are all drawn, although none follows them', () => {
  for (let block = 0; block < 30; block += 1) {
    worker.follower.now += 500;
    worker.follower.block('BTC');
  }
  vi.advanceTimersByTime(5_000);
  const facts = events.findLast((event) => event.kind === 'facts');
  expect(facts).toMatchObject({ facts: { to: worker.follower.now } });
});
