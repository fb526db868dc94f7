/** A box on the page, px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, 'width' | 'height'>;

/** Gap between labels, and between a label and what it explains, px. */
const GAP = 6;
/** Distance between the places that are tried, px. */
const STEP = 14;
/** Number of places tried below and above a target. */
const TRIES = 24;
/** A target of at least this height has its label inside, px. */
const TALL = 120;

/**
 * Places a label for each target, one after the other, as near to it as the labels before leave room: inside a tall one, otherwise
 * below or above. One that finds no room in the window is undefined.
 */
export function labelPlaces(
  targets: readonly Box[],
  sizes: readonly Size[],
  window: Size,
): readonly (Box | undefined)[] {
  const placed: Box[] = [];
  return targets.map((target, at) => {
    const size = sizes[at] ?? { width: 0, height: 0 };
    const found = candidates(target, size, window).find(
      (place) => isInside(place, window) && placed.every((other) => !touches(place, other)),
    );
    if (found !== undefined) placed.push(found);
    return found;
  });
}

function candidates(target: Box, { width, height }: Size, window: Size): readonly Box[] {
  const centre = target.left + (target.width - width) / 2;
  const left = Math.max(GAP, Math.min(centre, window.width - width - GAP));
  const steps = Array.from({ length: TRIES }, (_, step) => step * STEP);
  const bottom = target.top + target.height + GAP;
  const tops = [
    ...(target.height >= TALL ? steps.map((step) => target.top + target.height / 3 + step) : []),
    ...steps.flatMap((step) => [bottom + step, target.top - GAP - height - step]),
  ];
  return tops.map((top) => ({ left, top, width, height }));
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
