/** A box on the page, px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, 'width' | 'height'>;

/** Where the label of a target belongs: over the middle of a tall one, otherwise on one side, or on the other if it is full. */
export type Where = 'above' | 'below' | 'inside';

interface Target {
  readonly box: Box;
  readonly where: Where;
  readonly label: Size;
}

/** Gap between labels, and between a label and what it explains, px. */
const GAP = 6;
/** Distance between the places that are tried, px. */
const STEP = 14;
/** Number of places tried on a side. */
const TRIES = 24;

/**
 * Places a label for each target, one after the other, as near to it as the labels before leave room. One that finds no room in
 * the window is undefined.
 */
export function labelPlaces(targets: readonly Target[], window: Size): readonly (Box | undefined)[] {
  const placed: Box[] = [];
  return targets.map((target) => {
    const found = candidates(target, window).find(
      (place) => isInside(place, window) && placed.every((other) => !touches(place, other)),
    );
    if (found !== undefined) placed.push(found);
    return found;
  });
}

function candidates({ box, where, label: { width, height } }: Target, window: Size): readonly Box[] {
  const left = where === 'inside' ? box.left + (box.width - width) / 2 : box.left;
  const steps = Array.from({ length: TRIES }, (_, step) => step * STEP);
  const above = steps.map((step) => box.top - GAP - height - step);
  const below = steps.map((step) => box.top + box.height + GAP + step);
  const inside = steps.map((step) => box.top + (box.height - height) / 2 + step);
  const tops = { above: [...above, ...below], below: [...below, ...above], inside }[where];
  return tops.map((top) => ({ left: Math.max(GAP, Math.min(left, window.width - width - GAP)), top, width, height }));
}

function isInside({ left, top, width, height }: Box, window: Size): boolean {
  return left >= 0 && top >= 0 && left + width <= window.width && top + height <= window.height;
}

function touches(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width + GAP &&
    other.left < one.left + one.width + GAP &&
    one.top < other.top + other.height + GAP &&
    other.top < one.top + one.height + GAP
  );
}
