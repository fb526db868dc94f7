import { beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import { FiguresHistory } from '../worker/figures-history.ts';
import type { FiguresData } from './figures.ts';

let worker: FakeWorker;

beforeEach(() => {
  worker = FakeWorker.live();
});

const blocks = (count: number, apartMs: number) => worker.blocks(count, apartMs);
const close = () => worker.frame();
/** What the strip shows when it is opened. */
const open = (): FiguresData => {
  close();
  return must(worker.frame({ figures: {} }).figures);
};

const times = ({ history }: FiguresData) => history.map(({ time }) => time);

/** Times between neighbours. */
const steps = (response: FiguresData) =>
  times(response).flatMap((time, at, all) => (at === 0 ? [] : [time - (all[at - 1] ?? 0)]));

describe('the minutes of the figures', () => {
  it('are whole after the strip was closed or another page open, and while and after the book is held', () => {
    worker.follower.now += 60_000;
    blocks(1, 1_000);
    open();
    close();
    blocks(70, 1_000);
    const opened = open();
    expect(steps(opened).slice(-60)).toEqual(Array.from({ length: 60 }, () => 1_000));
    expect(opened.history.at(-1)).toMatchObject({ time: opened.time, microprice: opened.figures?.microprice });
    expect(opened.history.every(({ leans }) => leans.length === 5)).toBe(true);

    worker.travel({ kind: 'step', blocks: -30 });
    blocks(20, 1_000);
    const past = open();
    expect(past.time).toBe(opened.time - 30_000);
    expect(times(past)).toEqual(times(opened).filter((time) => time <= past.time));
    worker.pause(false);
    const live = open();
    expect(live.time).toBe(opened.time + 20_000);
    expect(steps(live).slice(-80)).toEqual(Array.from({ length: 80 }, () => 1_000));
  });

  it('are bounded, with at most a sample a second however close the blocks are, and nothing of another coin', () => {
    blocks(300, 67);
    const response = open();
    expect(Math.min(...steps(response).slice(0, -1))).toBeGreaterThanOrEqual(900);
    expect(response.history.length).toBeLessThan(30);
    worker.follow('ETH');
    worker.follower.goLive('ETH');
    expect(open().history).toHaveLength(1);
  });

  it('cover three minutes before the shown block, and are kept for half an hour', () => {
    const history = new FiguresHistory();
    for (let second = 0; second < 4_000; second += 1) history.note(second * 1_000, undefined);
    const shown = (time: number) => history.upTo(time, undefined).map((sample) => sample.time);
    const minutes = Array.from({ length: 180 }, (_, second) => (3_820 + second) * 1_000);
    expect(shown(3_999_500)).toEqual([...minutes, 3_999_500]);
    expect(shown(2_200_000)).toHaveLength(180);
    expect(shown(100_000)).toEqual([100_000]);
  });
});
