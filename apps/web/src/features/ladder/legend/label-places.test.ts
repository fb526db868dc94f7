import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Box, labelPlaces, type Where } from './legend.tsx';

const WINDOW = { width: 1_440, height: 840 };

const target = fc.record({
  box: fc.record({
    left: fc.integer({ min: 0, max: 1_380 }),
    top: fc.integer({ min: 0, max: 800 }),
    width: fc.integer({ min: 10, max: 600 }),
    height: fc.integer({ min: 10, max: 400 }),
  }),
  where: fc.constantFrom<Where[]>('above', 'below', 'inside'),
  label: fc.record({ width: fc.integer({ min: 80, max: 250 }), height: fc.integer({ min: 26, max: 80 }) }),
});

const edges = ({ left, top, width, height }: Box) => ({ left, top, right: left + width, bottom: top + height });

it('labels lie inside the window, and none over another', () => {
  fc.assert(
    fc.property(fc.array(target, { maxLength: 24 }), (all) => {
      const places = labelPlaces(all, WINDOW).filter((place) => place !== undefined);
      for (const [at, place] of places.entries()) {
        const { left, top, right, bottom } = edges(place);
        expect(Math.min(left, top, WINDOW.width - right, WINDOW.height - bottom)).toBeGreaterThanOrEqual(0);
        for (const other of places.slice(0, at).map(edges))
          expect(left < other.right && other.left < right && top < other.bottom && other.top < bottom).toBe(false);
      }
    }),
  );
});
