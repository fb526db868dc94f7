// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { indexAtSlot } from '../../../book-worker/axis.ts';
import { Live } from '../../../book-worker/live.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { type DrawnTexts, stubCanvas, theme } from '../../../test-support/canvas.ts';
import { must } from '../../../test-support/must.ts';
import type { ToPainter } from './frame-renderer.ts';
import { openRenderer } from './open-renderer.ts';
import { HEADING } from './paint-lines.ts';
import { HOLD_MS, LadderPane, type PaneOptions, type PaneView } from './pane.ts';

const ROW = 20;
const SLOTS = 30;

const options: PaneOptions = {
  tick: '0.5',
  mode: 'auto',
  rowHeight: ROW,
  choice: {
    layout: 'split',
    count: true,
    cumulative: true,
    notional: 'none',
    flow: false,
    lane: true,
    large: 'p99',
    bars: 'linear',
  },
  selected: undefined,
  marks: [],
  without: undefined,
  motion: true,
};

let texts: DrawnTexts;
let canvas: HTMLCanvasElement;
let worker: FakeWorker;
let live: Live;
let pane: LadderPane;
let view: PaneView | undefined;
let chosen: LevelRef[];

beforeEach(() => {
  vi.useFakeTimers();
  texts = stubCanvas();
  canvas = document.createElement('canvas');
  canvas.setPointerCapture = () => {};
  document.body.append(canvas);
  worker = new FakeWorker();
  live = new Live(() => worker);
  live.open();
  live.follow('BTC');
  view = undefined;
  chosen = [];
  pane = new LadderPane(
    canvas,
    openRenderer(canvas, theme, (message) => live.fail(message)),
    live,
    options,
    {
      onSelect: (level) => chosen.push(level),
      onView: (next) => {
        view = next;
      },
    },
  );
  pane.coinChanged();
  pane.resize(1_200, HEADING + SLOTS * ROW, 1);
});

afterEach(() => {
  pane.close();
  canvas.remove();
  vi.useRealTimers();
});

/** Lets one animation frame pass, and everything the worker has to say arrive. */
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

/** The prices in the rows, from the top, as a person reads them off the canvas. */
function prices(): readonly string[] {
  texts.take();
  pane.setTheme(theme);
  return texts
    .take()
    .filter(({ text, y }) => y > HEADING && /^[\d,]+\.\d$/.test(text))
    .filter(({ color, x }) => (color.endsWith('-text') || color === 'dim') && x > 500 && x < 640)
    .toSorted((a, b) => a.y - b.y)
    .map(({ text }) => text);
}

describe('asking for frames', () => {
  it('[WEB-5] one question is under way at a time, and a drawn frame asks for the next', () => {
    goLive();
    const asked = () => worker.asked('ask').length;
    const before = asked();
    pass(50);
    expect(asked()).toBe(before);
    worker.follower.block('BTC');
    pass(3);
    expect(asked()).toBe(before + 1);
  });

  it('[WEB-5] an answer to an older question is not drawn', () => {
    goLive();
    const drawn = pane.snapshot();
    worker.follower.block('BTC');
    // The answer is on its way when the coin changes.
    live.follow('ETH');
    pane.coinChanged();
    pass(3);
    expect(pane.snapshot()).toBeUndefined();
    expect(drawn?.coin).toBe('BTC');
    worker.follower.goLive('ETH');
    pass(3);
    expect(pane.snapshot()?.coin).toBe('ETH');
  });

  it('[WEB-6] a hidden page asks for nothing, tells the worker to rest, and comes back exact', () => {
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

  it('[WEB-10] the view that the twin shows is the drawn frame', () => {
    goLive();
    vi.advanceTimersByTime(1_000);
    expect(view?.snapshot).toEqual(pane.snapshot());
    expect(view?.snapshot?.rows.length).toBeGreaterThan(5);
  });
});

describe('the texts of a frame', () => {
  it('[WEB-5] are left to whoever draws them: the page decodes only what its grid shows, when that is refreshed', () => {
    pane.close();
    const painted: unknown[] = [];
    const renderer = { post: (message: ToPainter) => void painted.push(message.kind), close: () => {} };
    pane = new LadderPane(canvas, renderer, live, options, { onSelect: () => {}, onView: () => {} });
    pane.coinChanged();
    pane.resize(1_200, HEADING + SLOTS * ROW, 1);
    goLive();
    // The view of this block is due at once, the next one a while later.
    vi.advanceTimersByTime(1_000);
    worker.follower.block('BTC');
    pass(2);
    painted.length = 0;
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    for (let block = 0; block < 10; block += 1) {
      worker.follower.block('BTC');
      pass(2);
      pointer('pointermove', block);
    }
    expect(painted.filter((kind) => kind === 'paint').length).toBeGreaterThanOrEqual(10);
    expect(decode).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(decode).toHaveBeenCalledTimes(1);
    decode.mockRestore();
  });
});

describe('rows under the pointer', () => {
  it('[WEB-3] stay where they are while the market moves', () => {
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

  it('[WEB-3] an answer counted before the pointer came does not move them either', () => {
    goLive();
    // Far from the market without the person's doing: the next frame would recentre.
    pane.setOptions({ ...options, mode: 'static' });
    pass(4);
    const before = prices();
    pane.setOptions({ ...options, mode: 'static' });
    for (let block = 0; block < 50; block += 1) worker.follower.block('BTC');
    pointer('pointerenter', 4);
    pass(4);
    expect(prices()).toEqual(before);
  });

  it('[WEB-3] a recentre moves them all the same', () => {
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

  it('[WEB-33] of a pointer that rests ends after ten seconds, and a movement holds again', () => {
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

  it('[WEB-33] of a keyboard cursor ends after ten seconds without a key; the cursor stays', () => {
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

describe('choosing a row', () => {
  const levelAt = (slot: number) => {
    const frame = must(worker.asked('ask').at(-1)?.ask.axis, 'axis');
    return indexAtSlot(frame, slot);
  };

  it('[WEB-4] acts on the price that stood there when the button went down', () => {
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

  it('a drag scrolls and chooses nothing', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    pointer('pointerdown', 5);
    pointer('pointermove', 8);
    pointer('pointerup', 8);
    pass(4);
    expect(chosen).toEqual([]);
    expect(levelAt(3)).toBe(before);
  });

  it('the wheel scrolls by whole rows', () => {
    goLive();
    const before = must(levelAt(0), 'row');
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -3 * ROW - 5, cancelable: true }));
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -ROW + 5, cancelable: true }));
    pass(4);
    expect(levelAt(4)).toBe(before);
  });

  it('the right button is left to the browser', () => {
    goLive();
    pointer('pointerdown', 3, { button: 2 });
    pointer('pointerup', 3, { button: 2 });
    expect(chosen).toEqual([]);
  });
});

describe('by keyboard', () => {
  it('[WEB-14] arrows go from level to level that holds orders, Enter opens it', () => {
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

  it('[WEB-3, WEB-14] rows stay under the keyboard too, until it lets go', () => {
    goLive();
    pane.moveActive(1);
    pass(2);
    expect(worker.asked('ask').at(-1)?.ask.held).toBe(true);
    pane.clearActive();
    pass(2);
    expect(worker.asked('ask').at(-1)?.ask.held).toBe(false);
  });

  it('[WEB-14] past the edge the ladder scrolls', () => {
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

describe('what is drawn', () => {
  it('[DEC-7] every size is drawn to its last digit', () => {
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

  it('an unchanged frame draws nothing', () => {
    goLive();
    pass(30);
    texts.take();
    pane.setOptions({ ...options });
    pass(3);
    expect(texts.take()).toEqual([]);
  });

  it('[WEB-12] without motion no digit is brighter', () => {
    pane.setOptions({ ...options, motion: false });
    goLive();
    texts.take();
    for (let block = 0; block < 40; block += 1) {
      worker.follower.block('BTC');
      pass();
    }
    expect(texts.take().filter(({ color }) => color === 'strong')).toEqual([]);
  });

  it('[WEB-12] with motion changed digits are brighter, and not for long', () => {
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
