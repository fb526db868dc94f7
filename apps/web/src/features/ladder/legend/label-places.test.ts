import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Box, labelPlaces } from './label-places.ts';

const WINDOW = { width: 1_440, height: 840 };
const SIZE = { width: 180, height: 40 };

const targets = fc.array(
  fc.record({
    left: fc.integer({ min: 0, max: 1_380 }),
    top: fc.integer({ min: 0, max: 800 }),
    width: fc.integer({ min: 10, max: 600 }),
    height: fc.integer({ min: 10, max: 400 }),
  }),
  { maxLength: 24 },
);

const edges = ({ left, top, width, height }: Box) => ({ left, top, right: left + width, bottom: top + height });

it('labels lie inside the window, and none over another', () => {
  fc.assert(
    fc.property(targets, (all) => {
      const places = labelPlaces(
        all,
        all.map(() => SIZE),
        WINDOW,
      ).filter((place) => place !== undefined);
      for (const [at, place] of places.entries()) {
        const { left, top, right, bottom } = edges(place);
        expect(Math.min(left, top, WINDOW.width - right, WINDOW.height - bottom)).toBeGreaterThanOrEqual(0);
        for (const other of places.slice(0, at).map(edges))
          expect(left < other.right && other.left < right && top < other.bottom && other.top < bottom).toBe(false);
      }
    }),
  );
});

it('headings in a line have their labels below one another, each as near as those before allow', () => {
  const headings = [100, 160, 220].map((left) => ({ left, top: 90, width: 50, height: 22 }));
  const places = labelPlaces(headings, [SIZE, SIZE, SIZE], WINDOW);
  expect(places.map((place) => place?.top)).toEqual([118, 44, 174]);
});

it('a tall target has its label inside', () => {
  const [place] = labelPlaces([{ left: 900, top: 100, width: 400, height: 300 }], [SIZE], WINDOW);
  expect(place).toEqual({ left: 1_010, top: 200, ...SIZE });
});
