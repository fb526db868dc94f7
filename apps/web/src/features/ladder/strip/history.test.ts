import { describe, expect, it } from 'vitest';
import type { FiguresResponse } from '../../../book-worker/panes/figures.ts';
import { linePath } from './draw-sparkline.tsx';
import { FigureHistory, type Sample, withSample } from './history.ts';

const at = (height: number, time: number): FiguresResponse => ({
  serial: 1,
  height,
  time,
  figures: undefined,
});
const after = (...responses: readonly FiguresResponse[]) => responses.reduce<readonly Sample[]>(withSample, []);
const heights = (history: readonly Sample[]) => history.map(({ height }) => height);

describe('history of the figures', () => {
  it('[WEB-53] covers the last three minutes of block time', () => {
    expect(heights(after(at(1, 0), at(2, 90_000), at(3, 180_000), at(4, 180_001)))).toEqual([2, 3, 4]);
  });

  it('[WEB-53] has no block twice, and each at its time', () => {
    expect(heights(after(at(1, 1_000), at(1, 1_000), at(3, 3_000), at(2, 2_000), at(3, 3_000)))).toEqual([1, 2, 3]);
  });

  it('[WEB-53] is drawn up to the shown block: back, at a moment of another time, played on from there, and live again', () => {
    const history = new FigureHistory();
    const drawn = (height: number, time: number) => {
      if (history.keep({ coin: 'BTC', epoch: 'e', figures: at(height, time) })) history.draw();
      return heights(history.drawn());
    };
    for (let second = 1; second <= 40; second += 1) drawn(second, 500_000 + second * 1_000);
    expect(drawn(38, 538_000)).toEqual(Array.from({ length: 38 }, (_, index) => index + 1));
    expect(drawn(41, 541_000).length).toBe(41);
    expect(drawn(-900, 100_000)).toEqual([-900]);
    expect(drawn(-885, 101_000)).toEqual([-900, -885]);
    expect(drawn(42, 542_000).length, 'the live minute was seen before').toBe(42);
  });

  it('[WEB-53] is limited, however close the blocks are', () => {
    const history = after(...Array.from({ length: 1_000 }, (_, index) => at(index, index)));
    expect(history.length).toBeLessThan(20);
    expect(history.at(-1)?.height).toBe(999);
    const played = after(...Array.from({ length: 4_000 }, (_, index) => at(index, index * 67)));
    expect(played.length).toBeLessThan(1_350);
    expect((played.at(-1)?.time ?? 0) - (played[0]?.time ?? 0), 'and whole while blocks are played').toBeGreaterThan(
      179_000,
    );
  });

  it('[WEB-53] is redrawn once a second of block time, and at once after a restart', () => {
    const history = new FigureHistory();
    const keep = (height: number, time: number, of = { coin: 'BTC', epoch: 'e' }) => {
      const isDue = history.keep({ ...of, figures: at(height, time) });
      if (isDue) history.draw();
      return isDue;
    };
    let told = 0;
    const end = history.subscribe(() => (told += 1));
    expect([keep(1, 10_000), keep(2, 10_250), keep(3, 10_999)]).toEqual([true, false, false]);
    expect([heights(history.drawn()), told]).toEqual([[1], 1]);
    expect(keep(4, 11_000)).toBe(true);
    expect(heights(history.drawn())).toEqual([1, 2, 3, 4]);
    expect(keep(5, 11_100, { coin: 'ETH', epoch: 'e' })).toBe(true);
    expect(keep(6, 11_200, { coin: 'ETH', epoch: 'other' })).toBe(true);
    expect(keep(2, 9_000, { coin: 'ETH', epoch: 'other' })).toBe(true);
    expect(keep(2, 9_000, { coin: 'ETH', epoch: 'other' })).toBe(false);
    expect(heights(history.drawn())).toEqual([2]);
    end();
    keep(9, 90_000);
    expect(told).toBe(5);
  });

  it('[WEB-53] restarts with another request, such as one with another price step', () => {
    const history = new FigureHistory();
    const keep = (height: number, serial: number) =>
      history.keep({ coin: 'BTC', epoch: 'e', figures: { ...at(height, height * 250), serial } });
    expect([keep(1, 1), keep(2, 2), keep(3, 2)]).toEqual([true, true, false]);
    history.draw();
    expect(heights(history.drawn())).toEqual([2, 3]);
    expect(keep(4, 2)).toBe(false);
  });

  it('[WEB-53] keeps nothing of the previous coin or epoch, even before a redraw', () => {
    const history = new FigureHistory();
    history.keep({ coin: 'BTC', epoch: 'e', figures: at(1, 1_000) });
    history.draw();
    history.keep({ coin: 'ETH', epoch: 'e', figures: undefined });
    expect(history.drawn()).toEqual([]);
  });
});

describe('line of a figure', () => {
  const sample = (time: number, microprice: Sample['microprice']): Sample => ({
    height: time,
    time,
    microprice,
    spreadTicks: null,
    topShare: null,
    leans: [],
  });
  const path = (samples: readonly Sample[], bounds?: readonly [number, number], minutes = 1) =>
    linePath(samples, ({ microprice }) => microprice, bounds, minutes, 64 * minutes);

  it('[WEB-53] ends at the right edge, scaled from the lowest value to the highest or to the bounds', () => {
    expect(path([sample(0, '10'), sample(30_000, '20')])).toBe('M32 17.0M64 1.0');
    expect(path([sample(0, '10'), sample(2_000, '20')], [0, 40])).toBe('M62 13.0L64 9.0');
    expect(path([sample(0, '10')])).toBe('M64 9.0');
    expect(path([])).toBe('');
  });

  it('[WEB-53] has a minute of 64 px or three, each scaled by its own values', () => {
    const samples = [sample(30_000, '30'), sample(31_000, '10'), sample(179_000, '21'), sample(180_000, '20')];
    expect(path(samples)).toBe('M63 1.0L64 17.0');
    expect(path(samples, undefined, 3)).toBe('M32 1.0L33 17.0M191 8.2L192 9.0');
  });

  it('[WEB-53] breaks where values are unknown for 3 s, and leaves out samples without a value', () => {
    expect(path([sample(0, '1'), sample(3_000, '1'), sample(6_001, '1')])).toBe('M58 9.0L61 9.0M64 9.0');
    expect(path([sample(0, '1'), sample(1_000, null), sample(2_000, '1')])).toBe('M62 9.0L64 9.0');
  });

  it('[WEB-53] has the last value of each pixel', () => {
    expect(path([sample(0, '1'), sample(100, '3'), sample(2_000, '2')])).toBe('M62 1.0L64 17.0');
  });
});
