import { describe, expect, it } from 'vitest';
import { DrawLater } from './draw-later.ts';

/** Turns that the test takes one by one; each draws everything that was added before it. */
function turns() {
  const later = new DrawLater();
  const due = new Set<() => void>();
  const stop = later.with((draw) => due.add(draw));
  const drawn: number[] = [];
  const draws = Array.from({ length: 40 }, (_, index) => () => void drawn.push(index));
  const turn = () => {
    const now = [...due];
    due.clear();
    for (const draw of now) draw();
    return drawn.splice(0);
  };
  return { later, due, stop, drawn, draws, turn };
}

describe('[WEB-101] what may wait', () => {
  it('is drawn at once while nothing gives it turns', () => {
    const later = new DrawLater();
    const drawn: string[] = [];
    later.draw(() => drawn.push('one'));
    later.drawSmall(() => drawn.push('small'));
    expect(drawn).toEqual(['one', 'small']);
  });

  it('is drawn in its turn; small draws two at a time, in their order, each once', () => {
    const { later, draws, turn } = turns();
    for (const draw of [...draws.slice(0, 5), ...draws.slice(0, 2)]) later.drawSmall(draw);
    expect([turn(), turn(), turn(), turn()]).toEqual([[0, 1], [2, 3], [4], []]);
  });

  it('is drawn faster when much waits', () => {
    const { later, draws, turn } = turns();
    for (const draw of draws) later.drawSmall(draw);
    expect(Array.from({ length: 4 }, () => turn().length)).toEqual([10, 8, 6, 4]);
  });

  it('is drawn at once when its turns end, and by the turns of another page', () => {
    const { later, draws, drawn, due, stop } = turns();
    for (const draw of draws.slice(0, 3)) later.drawSmall(draw);
    due.clear();
    const other: (() => void)[] = [];
    const stopOther = later.with((draw) => other.push(draw));
    // It was replaced, so it ends nothing.
    stop();
    expect(drawn).toEqual([]);
    later.drawSmall(() => {});
    expect(other).toHaveLength(1);
    stopOther();
    expect(drawn).toEqual([0, 1, 2]);
  });
});
