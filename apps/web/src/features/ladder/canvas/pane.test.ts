// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { indexAtSlot } from '../../../book-worker/axis.ts';
import { Live } from '../../../book-worker/live.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { type DrawnTexts, stubCanvas, theme } from '../../../test-support/canvas.ts';
import { rowChoice } from '../../../test-support/ladder-frame.ts';
import { must } from '../../../test-support/must.ts';
import { HOLD_MS } from './hold.ts';
import { openRenderer } from './open-renderer.ts';
import { HEADING } from './paint-lines.ts';
import { LadderPane } from './pane.ts';
import type { BandPrices, LaneTarget, PaneEvents, PaneOptions, PaneView } from './pane-types.ts';
import { PanePointer, type PointerTarget } from './pointer.ts';

const ROW = 20;
const SLOTS = 30;

const options: PaneOptions = {
  tick: '0.5',
  mode: 'auto',
  rowHeight: ROW,
  choice: rowChoice,
  selected: undefined,
  marks: [],
  without: undefined,
  isAlone: false,
  crosshair: undefined,
  motion: true,
};

/** Event handlers that do nothing. */
const deaf: PaneEvents = {
  onSelect: () => {},
  onOrder: () => {},
  onView: () => {},
  onCrosshair: () => {},
  onTool: () => {},
  onLane: () => {},
  onBand: () => {},
  onSweep: () => {},
  onWindow: () => {},
};

let texts: DrawnTexts;
let canvas: HTMLCanvasElement;
let worker: FakeWorker;
let live: Live;
let pane: LadderPane;
let view: PaneView | undefined;
let chosen: LevelRef[];
let opened: [px: string, oid: number][];
let lanes: (LaneTarget | undefined)[];
let crosshairs: (string | undefined)[];
let bands: (BandPrices | undefined)[];
let sweeps: BandPrices[];

beforeEach(() => {
  vi.useFakeTimers();
  texts = stubCanvas();
  canvas = document.createElement('canvas');
  canvas.setPointerCapture = () => {};
  document.body.append(canvas);
  worker = new FakeWorker();
  live = new Live(() => worker, 'simulated', 0);
  live.open();
  live.follow('BTC');
  view = undefined;
  [chosen, opened, lanes, crosshairs, bands, sweeps] = [[], [], [], [], [], []];
  pane = new LadderPane(
    canvas,
    openRenderer(canvas, theme, (message) => live.fail(message)),
    live,
    options,
    {
      ...deaf,
      onSelect: (level) => chosen.push(level),
      onOrder: ({ px }, oid) => opened.push([px, oid]),
      onLane: (lane) => lanes.push(lane),
      onCrosshair: (px) => crosshairs.push(px),
      onBand: (band) => bands.push(band),
      onSweep: (sweep) => sweeps.push(sweep),
      onView: (next) => {
        view = next;
      },
    },
  );
  pane.coinChanged();
  pane.resize(1_200, 2 * HEADING + SLOTS * ROW, 1);
});

afterEach(() => {
  pane.close();
  canvas.remove();
  vi.useRealTimers();
});

/** Lets animation frames pass, and delivers the worker's pending messages. */
function pass(frames = 1): void {
  for (let frame = 0; frame < frames; frame += 1) {
    vi.advanceTimersByTime(16);
    worker.deliver();
  }
}

function goLive(): void {
  worker.follower.goLive('BTC');
  pass(4);
}

const pointer = (type: string, slot: number, change: PointerEventInit = {}) => {
  const event = new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', button: 0, ...change });
  Object.defineProperty(event, 'offsetY', { value: HEADING + slot * ROW + ROW / 2 });
  canvas.dispatchEvent(event);
};

/** The prices of the rows, from the top, as drawn on the canvas. */
function prices(): readonly string[] {
  texts.take();
  pane.setTheme(theme);
  return texts
    .take()
    .filter(({ text, y }) => y > HEADING && y < HEADING + SLOTS * ROW && /^[\d,]+\.\d$/.test(text))
    .filter(({ color, x }) => (color.endsWith('-text') || color === 'dim') && x > 500 && x < 640)
    .toSorted((a, b) => a.y - b.y)
    .map(({ text }) => text);
}

describe('requesting frames', () => {
  it('draws every block that arrives, also those that the panes are not rendered for', () => {
    pane.close();
    const slow = new Live(() => worker, 'simulated');
    slow.open();
    slow.follow('BTC');
    const own = new LadderPane(
      canvas,
      openRenderer(canvas, theme, () => {}),
      slow,
      options,
      deaf,
    );
    own.coinChanged();
    own.resize(1_200, 2 * HEADING + SLOTS * ROW, 1);
    worker.follower.goLive('BTC');
    pass(4);
    let rendered = 0;
    slow.subscribe(() => (rendered += 1));
    const drawn: (string | undefined)[] = [];
    for (let block = 0; block < 30; block += 1) {
      texts.take();
      worker.follower.block('BTC');
      pass(3);
      drawn.push(texts.take().length > 0 ? 'drawn' : undefined);
    }
    own.close();
    expect(drawn).toEqual(Array.from({ length: 30 }, () => 'drawn'));
    expect(rendered).toBeLessThan(15);
  });

  it('has one request in flight at a time, and requests the next frame after drawing one', () => {
    goLive();
    const asked = () => worker.asked('ask').length;
    const before = asked();
    pass(50);
    expect(asked()).toBe(before);
    worker.follower.block('BTC');
    pass(3);
    expect(asked()).toBe(before + 1);
  });

  it('does not draw a response to an older request', () => {
    goLive();
    const drawn = pane.snapshot();
    worker.follower.block('BTC');
    // The response is in flight when the coin changes.
    live.follow('ETH');
    pane.coinChanged();
    pass(3);
    expect(pane.snapshot()).toBeUndefined();
    expect(drawn?.coin).toBe('BTC');
    worker.follower.goLive('ETH');
    pass(3);
    expect(pane.snapshot()?.coin).toBe('ETH');
  });

  it('requests nothing while the page is hidden, tells the worker to rest, and is exact again afterwards', () => {
    goLive();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(worker.received.at(-1)).toEqual({ kind: 'rest' });
    const asked = worker.asked('ask').length;
    for (let block = 0; block < 100; block += 1) {
      worker.follower.block('BTC');
      pass();
    }
    expect(worker.asked('ask')).toHaveLength(asked);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    pass(3);
    expect(pane.snapshot()).toMatchObject({ height: 200, seq: 101 });
  });

  it('reports the drawn frame as the view for the accessible grid', () => {
    goLive();
    vi.advanceTimersByTime(1_000);
    expect(view?.snapshot).toEqual(pane.snapshot());
    expect(view?.snapshot?.rows.length).toBeGreaterThan(5);
  });
});

describe('rows under the pointer', () => {
  it('stay in place while the market moves', () => {
    goLive();
    pointer('pointerenter', 4);
    const before = prices();
    expect(before).toHaveLength(SLOTS);
    for (let block = 0; block < 300; block += 1) {
      worker.follower.block('BTC');
      pass();
    }
    expect(prices()).toEqual(before);
    pointer('pointerleave', 4);
    pass(3);
  });

  it('are not moved by a response computed before the pointer arrived', () => {
    goLive();
    // Away from the market although the person did not scroll: the next frame would recentre.
    pane.setOptions({ ...options, mode: 'static' });
    pass(4);
    const before = prices();
    pane.setOptions({ ...options, mode: 'static' });
    for (let block = 0; block < 50; block += 1) worker.follower.block('BTC');
    pointer('pointerenter', 4);
    pass(4);
    expect(prices()).toEqual(before);
  });

  it('move on a recentre', () => {
    goLive();
    pointer('pointerenter', 4);
    pane.scroll(40);
    pass(4);
    const away = prices();
    vi.advanceTimersByTime(1_000);
    expect(view?.rowsToTouch.bid).toBeLessThan(0);
    pane.recentre();
    pass(4);
    expect(prices()).not.toEqual(away);
    vi.advanceTimersByTime(1_000);
    expect(view?.rowsToTouch).toEqual({ bid: 0, ask: 0 });
  });
});

describe('a hold', () => {
  const held = () => must(worker.asked('ask').at(-1), 'ask').ask.held;

  it('by a resting pointer ends after ten seconds, and a movement holds again', () => {
    goLive();
    pointer('pointerenter', 4);
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(HOLD_MS - 1_000);
    pointer('pointermove', 5);
    vi.advanceTimersByTime(HOLD_MS - 1_000);
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(1_000);
    pass(3);
    expect(held()).toBe(false);
    pointer('pointermove', 6);
    pass(3);
    expect(held()).toBe(true);
  });

  it('by a keyboard cursor ends after ten seconds without a key; the cursor stays', () => {
    goLive();
    pane.moveActive(1);
    pass(2);
    expect(held()).toBe(true);
    vi.advanceTimersByTime(HOLD_MS);
    pass(3);
    expect(held()).toBe(false);
    expect(view?.active).toBeDefined();
    pane.moveActive(1);
    pass(3);
    expect(held()).toBe(true);
  });
});

describe('selecting a row', () => {
  const levelAt = (slot: number) => {
    const frame = must(worker.asked('ask').at(-1)?.ask.axis, 'axis');
    return indexAtSlot(frame, slot);
  };

  it('uses the price that was there when the button went down', () => {
    goLive();
    const [first = ''] = prices();
    pointer('pointerdown', 0);
    pane.recentre();
    pane.setOptions({ ...options, tick: '1' });
    pass(5);
    pointer('pointerup', 0);
    expect(chosen).toHaveLength(1);
    expect(chosen[0]?.px).toBe(first.replaceAll(',', ''));
    expect(chosen[0]?.tick).toBe('0.5');
  });

  it('does not happen on a drag, which scrolls', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    pointer('pointerdown', 5);
    pointer('pointermove', 8);
    pointer('pointerup', 8);
    pass(4);
    expect(chosen).toEqual([]);
    expect(levelAt(3)).toBe(before);
  });

  it('scrolls by whole rows with the wheel', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -3 * ROW - 5, cancelable: true }));
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -ROW + 5, cancelable: true }));
    pass(4);
    expect(levelAt(4)).toBe(before);
  });

  it('ignores the right button', () => {
    goLive();
    pointer('pointerdown', 3, { button: 2 });
    pointer('pointerup', 3, { button: 2 });
    expect(chosen).toEqual([]);
  });
});

describe('by keyboard', () => {
  it('moves with the arrows between levels with orders, and opens one with Enter', () => {
    goLive();
    pane.moveActive(1);
    pass(2);
    const rows = pane.snapshot()?.rows ?? [];
    const start = rows.findIndex(({ index }) => index === view?.active);
    expect(start).toBeGreaterThanOrEqual(0);
    pane.moveActive(1);
    expect(view?.active).toBe(rows[start + 1]?.index);
    pane.moveActive(-1);
    expect(view?.active).toBe(rows[start]?.index);
    pane.chooseActive();
    expect(chosen).toEqual([{ side: rows[start]?.side, px: rows[start]?.px, tick: '0.5' }]);
  });

  it('holds the rows until the cursor is cleared', () => {
    goLive();
    pane.moveActive(1);
    pass(2);
    expect(worker.asked('ask').at(-1)?.ask.held).toBe(true);
    pane.clearActive();
    pass(2);
    expect(worker.asked('ask').at(-1)?.ask.held).toBe(false);
  });

  it('scrolls the ladder past the edge', () => {
    goLive();
    const before = levelTop();
    for (let press = 0; press < 60; press += 1) {
      pane.moveActive(-1);
      pass(2);
    }
    expect(levelTop()).toBeGreaterThan(before);
  });

  const levelTop = () => worker.asked('ask').at(-1)?.ask.axis?.top ?? 0;
});

describe('an order of a lane', () => {
  /** Moves the pointer to `x` in the middle of a row's lane. */
  const pointAtLane = (slot: number, x: number) => {
    const event = new PointerEvent('pointermove', { pointerId: 1, pointerType: 'mouse' });
    Object.defineProperty(event, 'offsetY', { value: HEADING + slot * ROW + ROW / 2 });
    Object.defineProperty(event, 'offsetX', { value: x });
    canvas.dispatchEvent(event);
    pass(3);
  };
  const slotOf = (index: number) => must(worker.asked('ask').at(-1)?.ask.axis, 'axis').top - index;
  const response = () => must(live.book().panes?.lane, 'lane');
  const busiest = () => must(pane.snapshot()?.rows.toSorted((a, b) => b.count - a.count)[0], 'row');

  it('is reported under the pointer as it is in the book, and not beside the bar', () => {
    goLive();
    const row = must(
      pane.snapshot()?.rows.find(({ side }) => side === 'B'),
      'bid',
    );
    const [first] = must(worker.follower.coin('BTC')?.book, 'book').queue('B', row.px, { limit: 1 });
    pointAtLane(slotOf(row.index), 1_200 / 2 + 60);
    expect(lanes.at(-1)).toMatchObject({ by: 'pointer', level: { side: 'B', px: row.px } });
    expect(response().order).toMatchObject({ oid: first?.order.oid, place: 0, szAhead: '0' });
    pointAtLane(slotOf(row.index), 1_190);
    expect(lanes.at(-1)).toBeUndefined();
  });

  it('is reached with left and right, opened with Enter, and cleared with Escape', () => {
    goLive();
    const row = busiest();
    while (view?.active !== row.index) {
      pane.moveActive(view?.active !== undefined && view.active > row.index ? 1 : -1);
      pass(2);
    }
    const queue = must(worker.follower.coin('BTC')?.book, 'book').queue(row.side, row.px, { tick: '0.5' });
    const seen: (number | undefined)[] = [];
    for (let press = 0; press < queue.length; press += 1) {
      pane.moveInLane(1);
      pass(3);
      seen.push(response().order?.oid);
    }
    expect(seen).toEqual(queue.map(({ order }) => order.oid));
    pane.moveInLane(-1);
    pass(3);
    pane.chooseActive();
    expect(opened).toEqual([[row.px, queue.at(-2)?.order.oid]]);
    expect(pane.escape()).toBe(true);
    expect(lanes.at(-1)).toBeUndefined();
    expect(pane.escape()).toBe(false);
  });

  it('is followed by its oid while the queue in front of it moves', () => {
    goLive();
    pane.moveActive(1);
    pane.moveInLane(1);
    pane.moveInLane(1);
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

describe('the crosshair', () => {
  it('reports the price pointed at, and marks the price that another ladder points at', () => {
    goLive();
    const [first = ''] = prices();
    pointer('pointermove', 0);
    pass(2);
    expect(crosshairs.at(-1)).toBe(first.replaceAll(',', ''));
    pointer('pointerleave', 0);
    expect(crosshairs.at(-1)).toBeUndefined();
    const lines = () => texts.rects('accent').filter(({ width }) => width === 1_200).length;
    expect(lines()).toBe(0);
    pane.setOptions({ ...options, crosshair: must(pane.snapshot()?.bestBid, 'bid') });
    pass(2);
    expect(lines()).toBe(2);
  });
});

/** The row of a locked book's price. */
const locked: LevelRef = { side: 'A', px: '100', tick: '0.5' };

const silentTarget: PointerTarget = {
  rowHeight: () => ROW,
  axis: () => ({ top: 100, detached: false }),
  levelAt: () => undefined,
  bestAt: () => [],
  onPoint: () => {},
  onLeave: () => {},
  onChoose: () => {},
  dragKind: (isOutward) => (isOutward ? 'band' : 'scroll'),
  onDrag: () => {},
  onBand: () => {},
  onBandEnd: () => {},
  onWheel: () => {},
};

describe('the ruler and the sweep', () => {
  const slotOf = (index: number) => must(worker.asked('ask').at(-1)?.ask.axis, 'axis').top - index;
  const drag = (from: number, to: number) => {
    pointer('pointerdown', from);
    pointer('pointermove', to);
    pass(2);
  };

  it('marks the prices between the ends of a ruler drag, and does not scroll', () => {
    goLive();
    const top = must(worker.asked('ask').at(-1)?.ask.axis, 'axis').top;
    const [high = '', , , low = ''] = prices().map((price) => price.replaceAll(',', ''));
    pane.toggleRuler();
    drag(0, 3);
    pointer('pointerup', 3);
    expect(bands.at(-1)).toMatchObject({ kind: 'ruler', from: { px: high }, to: { px: low } });
    expect(must(worker.asked('ask').at(-1)?.ask.axis, 'axis').top).toBe(top);
    expect(chosen).toEqual([]);
    pane.escape();
    expect(bands.at(-1)).toBeUndefined();
  });

  it('measures with two presses as well, and with the arrows', () => {
    goLive();
    pane.toggleRuler();
    for (const slot of [2, 6]) {
      pointer('pointerdown', slot);
      pointer('pointerup', slot);
    }
    const band = must(bands.at(-1), 'band');
    expect(Number(band.from.px) - Number(band.to.px)).toBe(2);
    pane.escape();
    pane.moveActive(1);
    pane.toggleRuler();
    pane.moveActive(1);
    pane.moveActive(1);
    const [first, , third] = (pane.snapshot()?.rows ?? []).slice(
      (pane.snapshot()?.rows ?? []).findIndex(({ index }) => index === view?.active) - 2,
    );
    expect(bands.at(-1)).toMatchObject({ from: { px: first?.px }, to: { px: third?.px } });
  });

  it.each(['A', 'B'] as const)(
    'sweeps what rests up to the end of a drag from the best price of side %s outward',
    (side) => {
      goLive();
      const rows = (pane.snapshot()?.rows ?? []).filter((row) => row.side === side);
      const outward = side === 'A' ? rows.toReversed() : rows;
      const [best, , third] = outward.map((row) => must(row, 'row'));
      drag(slotOf(must(best, 'best').index), slotOf(must(third, 'third').index));
      expect(bands.at(-1)).toMatchObject({ kind: 'sweep', sz: third?.cumulative });
      pointer('pointerup', slotOf(must(third, 'third').index));
      expect(sweeps).toMatchObject([{ to: { side, px: third?.px }, sz: third?.cumulative }]);
      expect(bands.at(-1)).toBeUndefined();
    },
  );

  it.each(['A', 'B'] as const)(
    'sweeps the side %s whose best price was there at the press, whatever is there by the first move',
    (side) => {
      goLive();
      const outward = side === 'A' ? -1 : 1;
      const best = slotOf(
        must(
          side === 'A'
            ? pane.snapshot()?.rows.findLast((row) => row.side === 'A')
            : pane.snapshot()?.rows.find((row) => row.side === 'B'),
          'best',
        ).index,
      );
      pointer('pointerdown', best);
      // The rows move: the other side's best price comes to where the press was.
      pane.scroll(side === 'A' ? 1 : -1);
      pass(3);
      pointer('pointermove', best + 3 * outward);
      pass(2);
      expect(bands.at(-1)).toMatchObject({ kind: 'sweep', from: { side } });
      pointer('pointerup', best + 3 * outward);
      expect(sweeps).toMatchObject([{ to: { side } }]);
    },
  );

  it('sweeps the bids on a drag down from the row of a locked book, which has both best prices', () => {
    const target = { ...silentTarget, levelAt: () => locked, bestAt: () => ['A', 'B'] as const };
    const swept: string[] = [];
    new PanePointer(canvas, { ...target, onBand: ({ side }) => swept.push(side) }).listen(new AbortController().signal);
    for (const by of [1, -1]) {
      pointer('pointerdown', 5);
      pointer('pointermove', 5 + by);
      pointer('pointerup', 5 + by);
    }
    expect(swept).toEqual(['B', 'A']);
  });

  it('scrolls on a drag from a best price toward the other side, and on any drag with a finger', () => {
    goLive();
    const best = slotOf(
      must(
        pane.snapshot()?.rows.findLast(({ side }) => side === 'A'),
        'ask',
      ).index,
    );
    drag(best, best + 3);
    pointer('pointerup', best + 3);
    pointer('pointerdown', best, { pointerType: 'touch' });
    pointer('pointermove', best - 3, { pointerType: 'touch' });
    pointer('pointerup', best - 3, { pointerType: 'touch' });
    expect(bands).toEqual([]);
    expect(sweeps).toEqual([]);
  });

  it('extends a sweep from the best price level by level with Shift and an arrow, and back', () => {
    goLive();
    const asks = (pane.snapshot()?.rows ?? []).filter(({ side }) => side === 'A').toReversed();
    const bids = (pane.snapshot()?.rows ?? []).filter(({ side }) => side === 'B');
    for (const by of [1, 1, 1, -1, -1, -1, -1] as const) pane.moveSweep(by);
    const expected = [asks[0], asks[1], asks[2], asks[1], asks[0], bids[0], bids[1]];
    expect(sweeps.map(({ sz, to }) => [to.side, sz])).toEqual(expected.map((row) => [row?.side, row?.cumulative]));
  });

  it('says of a kept sweep what it would take now, from the best price now', () => {
    goLive();
    for (const by of [1, 1, 1] as const) pane.moveSweep(by);
    const { sz, to } = must(bands.at(-1), 'band');
    for (let block = 0; bands.at(-1)?.sz === sz; block += 1) {
      if (block === 200) throw new Error('nothing changed up to that price');
      worker.follower.block('BTC');
      pass(3);
    }
    const asks = (pane.snapshot()?.rows ?? []).filter(({ side }) => side === 'A').toReversed();
    const upTo = asks.findLast(({ px }) => Number(px) <= Math.max(Number(to.px), Number(asks[0]?.px)));
    expect(bands.at(-1)).toMatchObject({ from: { px: asks[0]?.px }, sz: upTo?.cumulative });
    expect(sweeps).toHaveLength(3);
  });
});

describe('drawing', () => {
  it('draws every size to its last digit', () => {
    goLive();
    texts.take();
    pane.setTheme(theme);
    const drawn = new Set(texts.take().map(({ text }) => text));
    const snapshot = must(pane.snapshot(), 'frame');
    for (const { sz } of snapshot.rows) {
      const [whole, fraction = ''] = sz.split('.');
      expect(drawn).toContain(`${whole}.${fraction.padEnd(snapshot.sizeDecimals, '0')}`);
    }
  });

  it('draws nothing for an unchanged frame', () => {
    goLive();
    pass(30);
    texts.take();
    pane.setOptions({ ...options });
    pass(3);
    expect(texts.take()).toEqual([]);
  });

  it('brightens no digit without motion', () => {
    pane.setOptions({ ...options, motion: false });
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
    for (let block = 0; block < 5; block += 1) worker.follower.block('BTC');
    pass(2);
    expect(texts.take().map(({ color }) => color)).toContain('strong');
    vi.advanceTimersByTime(150);
    pass(2);
    expect(texts.take()).not.toEqual([]);
    pane.setTheme(theme);
    expect(texts.take().map(({ color }) => color)).not.toContain('strong');
  });
});
