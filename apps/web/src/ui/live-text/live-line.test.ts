// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawLaterWith } from '../../state/draw-later.ts';
import { DrawingWorker } from '../../test-support/drawing-worker.ts';
import { LiveLine } from './live-line.ts';

DrawingWorker.install();

let box: HTMLElement;

beforeEach(() => {
  box = document.createElement('span');
  box.style.cssText = 'color: rgb(1, 2, 3); font-size: 12px; font-weight: 400; line-height: 16px';
  document.body.append(box);
});

afterEach(() => box.remove());

/** The messages after a microtask: everything written in between goes in one message. */
const sent = async (): Promise<readonly unknown[]> => {
  await Promise.resolve();
  return DrawingWorker.all[0]?.received.splice(0) ?? [];
};

/** A line whose worker has started drawing. */
const open = (turn = 0): LiveLine => {
  const line = new LiveLine(box, turn);
  DrawingWorker.all[0]?.ready();
  return line;
};

const canvasOf = () => box.querySelector('canvas');
const words = () => box.querySelector('span');

const look = {
  color: 'rgb(1, 2, 3)',
  weight: '400',
  size: 12,
  line: 16,
  width: 60,
  height: 16,
  ratio: 1,
};

describe('a number that changes with every block', () => {
  it('[WEB-127] is drawn in a worker at once, and its DOM text follows every two seconds', async () => {
    const line = open();
    expect(await sent()).toEqual([{ kind: 'open', id: 1, canvas: {}, look }]);
    for (const text of ['985', '986']) line.write(text);
    expect(await sent()).toEqual([{ kind: 'write', texts: [[1, '986']] }]);
    for (let tick = 1; tick < 4; tick += 1) line.tick();
    expect(box.textContent).toBe('');
    line.write('987');
    line.tick();
    expect(box.textContent).toBe('987');
    expect(words()?.style.opacity).toBe('0');
    expect(box.style.width).toBe('3ch');
    line.close();
    expect(box.children).toHaveLength(0);
    expect(box.style.transition).toBe('');
  });

  it('[WEB-127] never changes the width of a box whose text stays within the given room', () => {
    const line = new LiveLine(box, 0, 5);
    DrawingWorker.all[0]?.ready();
    line.write('0.00');
    expect(box.style.width).toBe('5ch');
    line.write('+0.01');
    expect(box.style.width).toBe('5ch');
    line.write('0.00');
    for (let tick = 0; tick < 40; tick += 1) line.tick();
    expect(box.style.width).toBe('5ch');
    line.write('+10.01');
    expect(box.style.width).toBe('6ch');
    line.write('0.00');
    for (let tick = 0; tick < 40; tick += 1) line.tick();
    expect(box.style.width).toBe('5ch');
    line.close();
  });

  it('[WEB-127] updates its DOM text after four ticks, or at once when it settles', () => {
    const line = open();
    line.write('985');
    for (let tick = 1; tick < 4; tick += 1) line.tick();
    expect(box.textContent).toBe('');
    line.tick();
    expect(box.textContent).toBe('985');
    line.write('986');
    line.settle();
    expect(box.textContent).toBe('986');
    line.write('987');
    line.tick();
    expect(box.textContent).toBe('986');
    line.close();
  });

  it('[WEB-127] is sent with all other numbers of its block, and only when it changed', async () => {
    const [first, second] = [open(), open()];
    await sent();
    first.write('985');
    second.write('10 orders');
    expect(await sent()).toEqual([
      { kind: 'look', id: 2, look: { ...look, width: 120 } },
      {
        kind: 'write',
        texts: [
          [1, '985'],
          [2, '10 orders'],
        ],
      },
    ]);
    first.write('985');
    second.write('11 orders');
    expect(await sent()).toEqual([{ kind: 'write', texts: [[2, '11 orders']] }]);
    const [worker] = DrawingWorker.all;
    first.close();
    expect(worker?.terminated).toBe(false);
    second.close();
    expect(worker?.terminated).toBe(true);
    expect(DrawingWorker.all).toHaveLength(1);
  });

  it('[WEB-127] follows changes of its box’s colour and pixels, and ignores other events', async () => {
    let resized = () => {};
    vi.stubGlobal(
      'ResizeObserver',
      class extends ResizeObserver {
        constructor(callback: (entries: readonly { readonly target: Element }[]) => void) {
          super(() => {});
          resized = () => callback([{ target: box }]);
        }
      },
    );
    const line = open();
    line.write('985');
    await sent();
    const ends = () => box.dispatchEvent(new Event('transitionend'));
    ends();
    resized();
    expect(await sent()).toEqual([]);
    expect(box.style.getPropertyPriority('transition')).toBe('important');
    box.style.color = 'rgb(4, 5, 6)';
    ends();
    expect(await sent()).toMatchObject([{ kind: 'look', id: 1, look: { color: 'rgb(4, 5, 6)', ratio: 1 } }]);
    vi.stubGlobal('devicePixelRatio', 1.5);
    resized();
    expect(await sent()).toEqual([
      { kind: 'look', id: 1, look: { ...look, color: 'rgb(4, 5, 6)', width: 90, height: 24, ratio: 1.5 } },
    ]);
    expect([canvasOf()?.style.width, canvasOf()?.style.height]).toEqual(['60px', '16px']);
    box.style.color = 'rgb(7, 8, 9)';
    globalThis.dispatchEvent(new Event('resize'));
    expect(await sent()).toMatchObject([{ kind: 'look', id: 1, look: { color: 'rgb(7, 8, 9)' } }]);
    line.close();
  });

  it('[WEB-127] updates its DOM text in turns with other lines', () => {
    const lines = [open(0), open(1), open(4)];
    const followed = [1, 2, 3, 4, 5, 6, 7].map((tick) => {
      for (const line of lines) line.write(`98${tick}`);
      for (const line of lines) line.tick();
      return [...box.querySelectorAll('span')].map(({ textContent }) => textContent === `98${tick}`);
    });
    expect(followed).toEqual([
      [false, false, false],
      [false, false, false],
      [false, true, false],
      [true, false, true],
      [false, false, false],
      [false, false, false],
      [false, true, false],
    ]);
    for (const line of lines) line.close();
  });

  it('[WEB-101] updates its DOM text in a later frame, if it has not been updated by then', () => {
    const due: (() => void)[] = [];
    onTestFinished(drawLaterWith((draw) => due.push(draw)));
    const line = open();
    const fourTicks = () => {
      for (let tick = 0; tick < 4; tick += 1) line.tick();
    };
    line.write('985');
    fourTicks();
    expect([box.textContent, due.length]).toEqual(['', 1]);
    line.write('986');
    due.pop()?.();
    expect(box.textContent).toBe('986');
    // Nothing is to be drawn for a text that is already there.
    fourTicks();
    expect(due).toEqual([]);
    line.close();
  });

  it('[WEB-127] keeps the width of its longest text for ten to twenty seconds, padded with blanks', () => {
    const line = open();
    const ticks = (count: number) => {
      for (let tick = 0; tick < count; tick += 1) line.tick();
    };
    line.write('+0.05');
    line.write('0.00');
    ticks(4);
    expect([box.textContent, box.style.width]).toEqual(['0.00 ', '5ch']);
    ticks(16);
    expect(box.style.width).toBe('5ch');
    ticks(20);
    expect([box.textContent, box.style.width]).toEqual(['0.00', '4ch']);
    line.write('−12.50');
    line.write('7');
    expect(box.style.width).toBe('6ch');
    ticks(20);
    line.write('+7.25');
    line.write('7');
    ticks(20);
    expect(box.style.width).toBe('5ch');
    line.close();
  });

  it('[WEB-127] is written into the page until the worker draws', () => {
    const line = new LiveLine(box);
    line.write('985');
    line.write('986');
    expect([box.textContent, words()?.style.opacity]).toEqual(['986', '']);
    DrawingWorker.all[0]?.ready();
    expect(words()?.style.opacity).toBe('0');
    const next = new LiveLine(box);
    expect([...box.querySelectorAll('span')].map(({ style }) => style.opacity)).toEqual(['0', '0']);
    next.close();
    line.close();
  });

  it('[WEB-127] is written into the page if the worker fails', async () => {
    const line = open();
    line.write('985');
    DrawingWorker.all[0]?.fail();
    expect([box.textContent, words()?.style.opacity, canvasOf()]).toEqual(['985', '', null]);
    line.write('986');
    expect(box.textContent).toBe('986');
    line.close();
    expect(DrawingWorker.all[0]?.received).not.toContainEqual({ kind: 'close', id: 1 });
    expect(box.children).toHaveLength(0);
  });

  it('[WEB-127] is written into the page in a browser that cannot draw in a worker', () => {
    vi.stubGlobal('Worker', undefined);
    const line = new LiveLine(box);
    line.write('985');
    expect([box.textContent, words()?.style.opacity, canvasOf()]).toEqual(['985', '', null]);
    line.close();
  });
});
