// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
const open = (): LiveLine => {
  const line = new LiveLine(box);
  DrawingWorker.all[0]?.ready();
  return line;
};

const canvasOf = () => box.querySelector('canvas');
const words = () => box.querySelector('span');
/** Whether the words are rendered, as text that can be selected, and not only the canvas's replacement. */
const isText = () => words()?.parentElement === box;

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
  it('[WEB-127] is drawn in a worker at once, and its words follow with the page’s clock, inside the canvas', async () => {
    const line = open();
    expect(await sent()).toEqual([{ kind: 'open', id: 1, canvas: {}, look }]);
    for (const text of ['985', '986']) line.write(text);
    expect(await sent()).toEqual([{ kind: 'write', texts: [[1, '986']] }]);
    expect(box.textContent).toBe('');
    line.tick();
    expect([box.textContent, canvasOf()?.textContent]).toEqual(['986', '986']);
    line.write('987');
    expect(box.textContent).toBe('986');
    line.tick();
    expect([box.textContent, canvasOf()?.textContent]).toEqual(['987', '987']);
    expect(canvasOf()?.hasAttribute('aria-hidden')).toBe(false);
    expect(box.style.width).toBe('3ch');
    line.close();
    expect(box.children).toHaveLength(0);
    expect(box.style.transition).toBe('');
  });

  it('[WEB-127] never changes the width of a box whose text stays within the given room', () => {
    const line = new LiveLine(box, 5);
    DrawingWorker.all[0]?.ready();
    line.write('0.00');
    expect(box.style.width).toBe('5ch');
    line.write('+0.01');
    expect(box.style.width).toBe('5ch');
    line.write('0.00');
    for (let tick = 0; tick < 40; tick += 1) line.tick();
    expect(box.style.width).toBe('5ch');
    line.write('+1000.01');
    expect(box.style.width).toBe('8ch');
    line.write('0.00');
    for (let tick = 0; tick < 40; tick += 1) line.tick();
    expect(box.style.width).toBe('5ch');
    line.close();
  });

  it('[WEB-127] has its words in the box, transparent, once it settles, and in the canvas again when they change', () => {
    const line = open();
    line.write('985');
    line.tick();
    expect(isText()).toBe(false);
    line.settle();
    expect([isText(), words()?.style.opacity, box.textContent]).toEqual([true, '0', '985']);
    line.tick();
    expect(isText()).toBe(true);
    line.write('986');
    expect([isText(), box.textContent]).toEqual([true, '985']);
    line.tick();
    expect([isText(), box.textContent]).toEqual([false, '986']);
    line.close();
  });

  it('[WEB-127] has its words in the box while somebody points at it, or it is in a selection', () => {
    const line = open();
    line.write('985');
    line.tick();
    box.dispatchEvent(new Event('pointerenter'));
    expect([isText(), box.textContent]).toEqual([true, '985']);
    line.write('986');
    line.tick();
    expect([isText(), box.textContent]).toEqual([true, '986']);
    box.dispatchEvent(new Event('pointerleave'));
    line.write('987');
    line.tick();
    expect([isText(), box.textContent]).toEqual([false, '987']);

    const select = (selection: Partial<Selection>) => {
      const whole = { isCollapsed: false, containsNode: (node: Node, isPartly: boolean) => node === box && isPartly };
      vi.spyOn(document, 'getSelection').mockReturnValue({ ...whole, ...selection } as Selection);
      document.dispatchEvent(new Event('selectionchange'));
    };
    select({ isCollapsed: true });
    expect(isText(), 'a caret selects nothing').toBe(false);
    select({ anchorNode: document.body, focusNode: document.body });
    expect(isText()).toBe(true);
    line.write('988');
    line.tick();
    expect([isText(), box.textContent]).toEqual([true, '988']);
    select({ anchorNode: document.body, focusNode: words()?.firstChild ?? null });
    line.write('989');
    line.tick();
    expect([isText(), box.textContent], 'other words would collapse the selection').toEqual([true, '988']);
    select({ isCollapsed: true });
    expect([isText(), box.textContent], 'a held book writes them no other time').toEqual([true, '989']);
    line.tick();
    expect(isText()).toBe(true);
    line.write('990');
    line.tick();
    expect([isText(), box.textContent]).toEqual([false, '990']);
    select({ isCollapsed: true });
    expect(isText(), 'a selection elsewhere').toBe(false);
    line.close();
    select({ anchorNode: document.body, focusNode: document.body });
    expect(box.children).toHaveLength(0);
  });

  it('[WEB-127] hears of the selection with all other numbers, while there is a number', () => {
    const listening = vi.spyOn(document, 'addEventListener');
    const asking = vi.spyOn(document, 'getSelection').mockReturnValue(null);
    const lines = [open(), open()];
    expect(listening.mock.calls.filter(([type]) => type === 'selectionchange')).toHaveLength(1);
    document.dispatchEvent(new Event('selectionchange'));
    expect(asking).toHaveBeenCalledTimes(1);
    for (const line of lines) line.close();
    document.dispatchEvent(new Event('selectionchange'));
    expect(asking).toHaveBeenCalledTimes(1);
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

  it('[WEB-127] keeps the width of its longest text, and gives up several characters that no text used for ten to twenty seconds', () => {
    const line = open();
    const ticks = (count: number) => {
      for (let tick = 0; tick < count; tick += 1) line.tick();
    };
    line.write('+0.05');
    line.write('0.00');
    ticks(4);
    expect([box.textContent, box.style.width]).toEqual(['0.00', '5ch']);
    line.settle();
    expect(box.textContent).toBe('0.00 ');
    ticks(16);
    expect([box.textContent, box.style.width]).toEqual(['0.00 ', '5ch']);
    ticks(20);
    expect(box.style.width, 'one character is kept').toBe('5ch');
    line.write('−12.50');
    line.write('+7');
    expect(box.style.width).toBe('6ch');
    ticks(40);
    expect([box.textContent, box.style.width]).toEqual(['+7', '2ch']);
    line.write('−12.50');
    line.write('7');
    ticks(20);
    expect(box.style.width, 'the longest text was within the last seconds').toBe('6ch');
    line.settle();
    expect(box.textContent).toBe('7     ');
    ticks(20);
    expect([box.textContent, box.style.width]).toEqual(['7', '1ch']);
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
    line.tick();
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
