import { describe, expect, it } from 'vitest';
import { DrawTurns } from './draw-turns.ts';
import type { SlowPaneName } from './panes.ts';

/** Draw turns over frames that the test draws one by one. */
function turns({ isHidden = false } = {}) {
  const drawn: SlowPaneName[] = [];
  const asked: (() => void)[] = [];
  const all = new DrawTurns({ next: (callback) => void asked.push(callback), isHidden: () => isHidden });
  const draws = new Map<SlowPaneName, () => void>();
  const drawOf = (name: SlowPaneName) => {
    const draw = draws.get(name) ?? (() => void drawn.push(name));
    draws.set(name, draw);
    return draw;
  };
  const slow = {
    block: () => all.block(),
    add: (name: SlowPaneName) => all.add(drawOf(name)),
    now: (name: SlowPaneName) => all.now(drawOf(name)),
    remove: (name: SlowPaneName) => all.remove(drawOf(name)),
  };
  /** Returns what the next frame draws, with or without a block. */
  const frame = ({ block = false } = {}) => {
    if (block) slow.block();
    for (const callback of asked.splice(0)) callback();
    return drawn.splice(0);
  };
  return { slow, drawn, asked, frame };
}

describe('[WEB-101] panes with a response a few times a second', () => {
  it('draw one after another in frames without a block, in the order of their responses', () => {
    const { slow, asked, frame } = turns();
    for (const name of ['tape', 'owners', 'time'] as const) slow.add(name);
    expect(frame({ block: true })).toEqual([]);
    expect(frame()).toEqual(['tape']);
    expect(frame({ block: true })).toEqual([]);
    expect(frame()).toEqual(['owners']);
    expect(frame()).toEqual(['time']);
    expect(asked).toEqual([]);
  });

  it('draw once for several responses before their turn, keeping their first place', () => {
    const { slow, frame } = turns();
    for (const name of ['tape', 'owners', 'tape'] as const) slow.add(name);
    expect([frame(), frame(), frame()]).toEqual([['tape'], ['owners'], []]);
  });

  it('wait at most two frames when every frame has a block', () => {
    const { slow, frame } = turns();
    for (const name of ['tape', 'owners'] as const) slow.add(name);
    const frames = Array.from({ length: 6 }, () => frame({ block: true }));
    expect(frames).toEqual([[], [], ['tape'], [], [], ['owners']]);
  });

  it('share a frame when more are due than a slow display has frames for', () => {
    const { slow, frame } = turns();
    for (const name of ['tape', 'owners', 'time', 'flow', 'queues'] as const) slow.add(name);
    expect([frame(), frame(), frame(), frame()]).toEqual([['tape', 'owners'], ['time'], ['flow'], ['queues']]);
  });

  it('draw at once on a hidden page, and only once for the first response to a new request', () => {
    const hidden = turns({ isHidden: true });
    hidden.slow.add('tape');
    expect(hidden.drawn).toEqual(['tape']);
    const { slow, drawn, frame } = turns();
    slow.add('tape');
    slow.now('tape');
    expect(drawn.splice(0)).toEqual(['tape']);
    expect(frame()).toEqual([]);
  });

  it('do not draw when cancelled before their turn', () => {
    const { slow, frame } = turns();
    for (const name of ['tape', 'owners'] as const) slow.add(name);
    slow.remove('tape');
    expect([frame(), frame()]).toEqual([['owners'], []]);
  });
});
