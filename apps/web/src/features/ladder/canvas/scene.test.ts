// @vitest-environment happy-dom
import { order } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { barSlot, slotOfIndex } from '../../../book-worker/axis.ts';
import type { LadderFrame, LadderRequest } from '../../../book-worker/ladder-frame.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { type DrawnTexts, stubCanvas, theme } from '../../../test-support/canvas.ts';
import { rowChoice } from '../../../test-support/ladder-frame.ts';
import { must } from '../../../test-support/must.ts';
import { ladderSnapshot } from '../snapshot.ts';
import { HOLD_MS } from './hold.ts';
import { HEADING } from './paint-lines.ts';
import { LadderScene } from './scene.ts';
import type { FromScene, SceneCommand, SceneOptions, ScenePointer } from './scene-types.ts';

const ROW = 20;
const SLOTS = 30;

const options: SceneOptions = {
  tick: '0.5',
  mode: 'auto',
  rowHeight: ROW,
  choice: rowChoice,
  selected: undefined,
  marks: [],
  without: undefined,
  isAlone: false,
  crosshair: undefined,
  alerts: [],
  motion: true,
};

let texts: DrawnTexts;
let worker: FakeWorker;
let canvas: HTMLCanvasElement;
let scene: LadderScene;
let events: FromScene[];
let requests: LadderRequest[];
let frame: LadderFrame | undefined;
/** Rows by which the next read finds the market away from where it was. */
let strayed: number;

beforeEach(() => {
  vi.useFakeTimers();
  texts = stubCanvas();
  worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  [events, requests, frame, strayed] = [[], [], undefined, 0];
  const book = worker.openCanvas();
  const rows = (request: LadderRequest) => {
    requests.push(request);
    const { axis } = request;
    frame = book.rows({ ...request, axis: axis && { ...axis, top: axis.top + strayed } });
    strayed = 0;
    return frame;
  };
  canvas = document.createElement('canvas');
  scene = new LadderScene({ canvas, theme, options }, { ...book, rows }, (event) => events.push(event));
  scene.receive({ kind: 'size', width: 1_200, height: 2 * HEADING + SLOTS * ROW, ratio: 1 });
});

afterEach(() => {
  scene.close();
  vi.useRealTimers();
});

/** Lets animation frames pass. */
function pass(frames = 1): void {
  for (let count = 0; count < frames; count += 1) vi.advanceTimersByTime(16);
}

function goLive(): void {
  worker.follower.goLive('BTC');
  pass(4);
}

const run = (command: SceneCommand) => scene.receive(command);
const setOptions = (change: Partial<SceneOptions>) =>
  scene.receive({ kind: 'options', options: { ...options, ...change } });

/** All that the scene reported of a kind. */
const heard = <Kind extends FromScene['kind']>(kind: Kind) =>
  events.filter((event): event is Extract<FromScene, { kind: Kind }> => event.kind === kind);

const chosen = () => heard('select').map(({ level }) => level);
const lanes = () => heard('lane').map(({ lane }) => lane);
const bands = () => heard('band').map(({ band }) => band);
const sweeps = () => heard('sweep').map(({ sweep }) => sweep);
const view = () => heard('view').at(-1)?.view;
const rowsNow = () => ladderSnapshot(must(frame, 'frame')).rows;
/** The rows of a side from its best price outward. */
const outward = (side: 'A' | 'B') => {
  const own = rowsNow().filter((row) => row.side === side);
  return side === 'A' ? own.toReversed() : own;
};

/** Where the middle of a row is, or what is at its `x`. */
const pointer = (type: ScenePointer['type'], slot: number, change: Partial<ScenePointer> = {}) => {
  const at = performance.timeOrigin + performance.now();
  const y = HEADING + slot * ROW + ROW / 2;
  scene.receive({ kind: 'pointer', type, x: 0, y, pointerId: 1, pointerType: 'mouse', at, ...change });
};

const press = (slot: number, change: Partial<ScenePointer> = {}) => {
  pointer('down', slot, change);
  pointer('up', slot, change);
};

/** The prices of the rows, from the top, as drawn on the canvas. */
function prices(): readonly string[] {
  texts.take();
  scene.receive({ kind: 'theme', theme });
  pass();
  return texts
    .take()
    .filter(({ text, y }) => y > HEADING && y < HEADING + SLOTS * ROW && /^[\d,]+\.\d$/.test(text))
    .filter(({ color, x }) => (color.endsWith('-text') || color === 'dim') && x > 500 && x < 640)
    .toSorted((a, b) => a.y - b.y)
    .map(({ text }) => text);
}

describe('drawing what comes', () => {
  it('draws a tenth of a second later if the browser runs no animation frame', () => {
    goLive();
    pass(30);
    vi.stubGlobal('requestAnimationFrame', () => 1);
    worker.follower.block('BTC');
    texts.take();
    vi.advanceTimersByTime(100);
    expect(texts.take()).not.toEqual([]);
  });

  it('moves on to the middle although no block comes', () => {
    goLive();
    const { top } = must(frame, 'frame').axis;
    strayed = 12;
    setOptions({});
    pass();
    expect(must(frame, 'frame').axis.top).toBe(top + 9);
    pass(60);
    expect(must(frame, 'frame').axis.top).toBe(top + 6);
    const reads = requests.length;
    pass(500);
    expect(requests.length - reads).toBeLessThanOrEqual(1);
  });

  it('shows nothing of another coin: the canvas is cleared until the chosen one has rows', () => {
    goLive();
    pass(30);
    expect(view()?.snapshot?.coin).toBe('BTC');
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    expect(view()?.snapshot).toBeUndefined();
    texts.take();
    pass(30);
    expect(texts.take()).toEqual([]);
    worker.follower.goLive('ETH');
    pass(30);
    expect(view()?.snapshot?.coin).toBe('ETH');
  });
});

describe('rows under the pointer', () => {
  it('stay in place without it too, while the legend points at them', () => {
    goLive();
    run({ kind: 'still', isStill: true });
    pass();
    expect(requests.at(-1)?.held).toBe(true);
    run({ kind: 'still', isStill: false });
    pass();
    expect(requests.at(-1)?.held).toBe(false);
  });
});

describe('a hold', () => {
  /** Whether the rows must not move with the next block. */
  const held = () => {
    worker.follower.block('BTC');
    pass(2);
    return must(requests.at(-1), 'request').held;
  };

  it('by a resting pointer ends after ten seconds, and a movement holds again', () => {
    goLive();
    pointer('move', 4);
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(HOLD_MS - 1_000);
    pointer('move', 5);
    vi.advanceTimersByTime(HOLD_MS - 1_000);
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(1_000);
    pass(3);
    expect(held()).toBe(false);
    pointer('move', 6);
    pass(3);
    expect(held()).toBe(true);
  });

  it('by a keyboard cursor ends after ten seconds without a key, in which the cursor stays, or with the cursor', () => {
    goLive();
    run({ kind: 'moveActive', by: 1 });
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(HOLD_MS);
    pass(3);
    expect(held()).toBe(false);
    expect(view()?.active).toBeDefined();
    run({ kind: 'moveActive', by: 1 });
    pass(3);
    expect(held()).toBe(true);
    run({ kind: 'clearActive' });
    expect(held()).toBe(false);
  });
});

describe('selecting a row', () => {
  const levelAt = (slot: number) => must(frame?.axis, 'axis').top - slot;

  it('uses the price that was there when the button went down', () => {
    goLive();
    const [first = ''] = prices();
    pointer('down', 0);
    run({ kind: 'recentre' });
    setOptions({ tick: '1' });
    pass(5);
    pointer('up', 0);
    expect(chosen()).toHaveLength(1);
    expect(chosen()[0]?.px).toBe(first.replaceAll(',', ''));
    expect(chosen()[0]?.tick).toBe('0.5');
  });

  it('does not happen on a drag, which scrolls', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    pointer('down', 5);
    pointer('move', 8);
    pointer('up', 8);
    pass(4);
    expect(chosen()).toEqual([]);
    expect(levelAt(3)).toBe(before);
  });

  it('scrolls by whole rows with the wheel', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    scene.receive({ kind: 'wheel', by: -3 * ROW - 5, isRows: false });
    pass(2);
    scene.receive({ kind: 'wheel', by: -ROW + 5, isRows: false });
    pass(4);
    expect(levelAt(4)).toBe(before);
  });

  it('uses the price that was on the screen when the button went down, although the rows moved before the press was heard of', () => {
    goLive();
    const [first = ''] = prices();
    const at = performance.timeOrigin + performance.now();
    vi.advanceTimersByTime(1);
    run({ kind: 'scroll', rows: 7 });
    pass(2);
    expect(prices()[0]).not.toBe(first);
    press(0, { at });
    expect(chosen()[0]?.px).toBe(first.replaceAll(',', ''));
    press(0);
    expect(chosen()[1]?.px).toBe(prices()[0]?.replaceAll(',', ''));
  });
});

describe('an order of a lane', () => {
  const response = () => must(lanes().at(-1), 'lane');
  it('is followed by its oid while the queue in front of it moves', () => {
    goLive();
    run({ kind: 'moveActive', by: 1 });
    run({ kind: 'moveInLane', by: 1 });
    run({ kind: 'moveInLane', by: 1 });
    pass(3);
    const { oid } = must(response().order, 'order');
    for (let block = 0; block < 40; block += 1) {
      worker.follower.block('BTC');
      pass(2);
      const { order, level } = response();
      const book = must(worker.follower.coin('BTC')?.book, 'book');
      const at = book.queue(level.side, level.px, { tick: '0.5' }).find((one) => one.order.oid === oid);
      expect({ oid: order?.oid, place: order?.place }).toEqual({ oid: at?.order.oid, place: at?.place });
    }
  });
});

describe('the ruler and the sweep', () => {
  const slotOf = (index: number) => slotOfIndex(must(frame?.axis, 'axis'), index);
  const bestSlot = (side: 'A' | 'B') => slotOf(must(outward(side)[0], 'best').index);
  const drag = (from: number, to: number) => {
    pointer('down', from);
    pointer('move', to);
    pass(2);
  };

  it('measures with two presses as well, and with the arrows', () => {
    goLive();
    run({ kind: 'toggleRuler' });
    for (const slot of [2, 6]) press(slot);
    const band = must(bands().at(-1), 'band');
    expect(Number(band.from.px) - Number(band.to.px)).toBe(2);
    pointer('move', 9);
    pass(2);
    expect(bands().at(-1), 'both ends are set').toEqual(band);
    run({ kind: 'escape' });
    run({ kind: 'moveActive', by: 1 });
    run({ kind: 'toggleRuler' });
    run({ kind: 'moveActive', by: 1 });
    run({ kind: 'moveActive', by: 1 });
    const [first, , third] = rowsNow().slice(rowsNow().findIndex(({ index }) => index === view()?.active) - 2);
    expect(bands().at(-1)).toMatchObject({ from: { px: first?.px }, to: { px: third?.px } });
  });

  it('reports the price whose menu is wanted; a ruler that starts there follows the pointer until a press', () => {
    goLive();
    const [px = ''] = prices().map((price) => price.replaceAll(',', ''));
    pointer('down', 0, { pointerType: 'touch' });
    scene.receive({ kind: 'menu', x: 40, y: HEADING + 5, at: performance.timeOrigin + performance.now() });
    const menu = must(heard('menu').at(-1), 'menu');
    expect(menu).toMatchObject({ level: { side: 'A' }, x: 40, y: HEADING + 5 });
    expect(Number(menu.level.px)).toBe(Number(px));
    pointer('up', 0, { pointerType: 'touch' });
    expect(chosen(), 'the long press chooses nothing').toEqual([]);
    run({ kind: 'measureFrom', level: menu.level });
    for (const slot of [3, 6]) {
      pointer('move', slot);
      pass(2);
      const band = must(bands().at(-1), 'band');
      expect([band.kind, (Number(band.from.px) - Number(band.to.px)) * 2]).toEqual(['ruler', slot]);
    }
    run({ kind: 'measureFrom', level: menu.level });
    run({ kind: 'moveActive', by: 1 });
    const below = must(rowsNow()[0], 'row');
    expect(bands().at(-1)).toMatchObject({ from: { px: menu.level.px }, to: { px: below.px } });
    run({ kind: 'escape' });
    run({ kind: 'moveActive', by: 1 });
    run({ kind: 'menuAtActive' });
    expect(heard('menu').at(-1)?.level.px).toBe(rowsNow().find(({ index }) => index === view()?.active)?.px);
  });

  it.each(['A', 'B'] as const)(
    'sweeps the side %s whose best price was there at the press, whatever is there by the first move',
    (side) => {
      goLive();
      const away = side === 'A' ? -1 : 1;
      const best = bestSlot(side);
      pointer('down', best);
      // The rows move: the other side's best price comes to where the press was.
      run({ kind: 'scroll', rows: side === 'A' ? 1 : -1 });
      pass(3);
      pointer('move', best + 3 * away);
      pass(2);
      expect(bands().at(-1)).toMatchObject({ kind: 'sweep', from: { side } });
      pointer('up', best + 3 * away);
      expect(sweeps()).toMatchObject([{ to: { side } }]);
    },
  );

  it.each([
    ['A', 'touch'],
    ['B', 'mouse'],
  ] as const)('sweeps side %s on a drag of the bar, which is a handle for a %s too', (side, pointerType) => {
    goLive();
    const bar = barSlot(must(frame?.axis, 'axis'));
    const to = bar + (side === 'A' ? -3 : 3);
    pointer('down', bar, { pointerType });
    pointer('move', to, { pointerType });
    pass(2);
    expect(bands().at(-1)).toMatchObject({ kind: 'sweep', from: { side } });
    pointer('up', to, { pointerType });
    expect(sweeps()).toMatchObject([{ to: { side } }]);
    expect(chosen()).toEqual([]);
  });

  it('a press on the bar chooses no price', () => {
    goLive();
    press(barSlot(must(frame?.axis, 'axis')));
    expect(chosen()).toEqual([]);
    expect(sweeps()).toEqual([]);
  });

  it('sweeps the bids on a drag down from the row of a locked book, which has both best prices', () => {
    const both = (['B', 'A'] as const).map((side, at) => [order({ side, limitPx: '100', oid: 1 + at })]);
    worker.follower.goLive('BTC', { levels: [must(both[0]), must(both[1])] });
    pass(4);
    const best = slotOf(must(frame?.touch.ask, 'ask'));
    for (const by of [1, -1]) {
      pointer('down', best);
      // The bar is next to the row.
      pointer('move', best + 2 * by);
      pointer('up', best + 2 * by);
    }
    expect(sweeps().map(({ to }) => to.side)).toEqual(['B', 'A']);
  });

  it('scrolls on a drag from a best price toward the other side, and on any drag with a finger', () => {
    goLive();
    const best = bestSlot('A');
    drag(best, best + 3);
    pointer('up', best + 3);
    pointer('down', best, { pointerType: 'touch' });
    pointer('move', best - 3, { pointerType: 'touch' });
    pointer('up', best - 3, { pointerType: 'touch' });
    expect(bands()).toEqual([]);
    expect(sweeps()).toEqual([]);
  });

  it('extends a sweep from the best price level by level with Shift and an arrow, and back', () => {
    goLive();
    const [asks, bids] = [outward('A'), outward('B')];
    for (const by of [1, 1, 1, -1, -1, -1, -1] as const) run({ kind: 'moveSweep', by });
    const expected = [asks[0], asks[1], asks[2], asks[1], asks[0], bids[0], bids[1]];
    expect(sweeps().map(({ sz, to }) => [to.side, sz])).toEqual(expected.map((row) => [row?.side, row?.cumulative]));
  });

  it('says of a kept sweep what it would take now, from the best price now', () => {
    goLive();
    for (const by of [1, 1, 1] as const) run({ kind: 'moveSweep', by });
    const { sz, to } = must(bands().at(-1), 'band');
    for (let block = 0; bands().at(-1)?.sz === sz; block += 1) {
      if (block === 200) throw new Error('nothing changed up to that price');
      worker.follower.block('BTC');
      pass(3);
    }
    const asks = outward('A');
    const upTo = asks.findLast(({ px }) => Number(px) <= Math.max(Number(to.px), Number(asks[0]?.px)));
    expect(bands().at(-1)).toMatchObject({ from: { px: asks[0]?.px }, sz: upTo?.cumulative });
    expect(sweeps()).toHaveLength(3);
  });
});

describe('drawing', () => {
  it('draws every size to its last digit', () => {
    goLive();
    texts.take();
    scene.receive({ kind: 'theme', theme });
    pass();
    const drawn = new Set(texts.take().map(({ text }) => text));
    const snapshot = ladderSnapshot(must(frame, 'frame'));
    for (const { sz } of snapshot.rows) {
      const [whole, fraction = ''] = sz.split('.');
      expect(drawn).toContain(`${whole}.${fraction.padEnd(snapshot.sizeDecimals, '0')}`);
    }
  });

  it('draws at once what it was cleared for: another theme, another size with its new rows, a restored context', () => {
    goLive();
    const drawn = () => texts.take().length;
    drawn();
    scene.receive({ kind: 'theme', theme });
    expect(drawn()).toBeGreaterThan(0);
    const rows = must(frame, 'frame').slots;
    scene.receive({ kind: 'size', width: 1_200, height: 2 * HEADING + 2 * SLOTS * ROW, ratio: 1 });
    expect(drawn()).toBeGreaterThan(0);
    expect(must(frame, 'frame').slots).toBe(rows + SLOTS);
    canvas.dispatchEvent(new Event('contextrestored'));
    expect(drawn()).toBeGreaterThan(0);
  });

  it('brightens no digit without motion', () => {
    setOptions({ motion: false });
    goLive();
    texts.take();
    for (let block = 0; block < 40; block += 1) {
      worker.follower.block('BTC');
      pass();
    }
    expect(texts.take().filter(({ color }) => color === 'strong')).toEqual([]);
  });

  it('brightens changed digits briefly with motion', () => {
    goLive();
    texts.take();
    worker.blocks(5);
    pass(2);
    expect(texts.take().map(({ color }) => color)).toContain('strong');
    vi.advanceTimersByTime(150);
    pass(2);
    expect(texts.take()).not.toEqual([]);
    scene.receive({ kind: 'theme', theme });
    pass();
    expect(texts.take().map(({ color }) => color)).not.toContain('strong');
  });
});
