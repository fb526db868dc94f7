/** The place of a value, px. */
export type Scale = (value: number) => number;

/** The scale that puts `domain` on `range`, px. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [low, high] = domain;
  const [start, end] = range;
  const perValue = (end - start) / (high - low || 1);
  return (value) => start + (value - low) * perValue;
}

/** One level of a line of steps, in px. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

/** A line of steps; where one does not begin at the end of the step before it, the line breaks. */
export function stepsPath(steps: readonly Step[]): string {
  return steps
    .map(({ from, to, level }, at) => `${steps[at - 1]?.to === from ? 'V' : `M${from} `}${level}H${to}`)
    .join('');
}
