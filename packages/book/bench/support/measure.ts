import type { BenchRow } from '@l4desk/config/bench';

/** Milliseconds that a call takes. */
export function timed(call: () => unknown): number {
  const start = performance.now();
  sink.value = call();
  return performance.now() - start;
}

/** Keeps results alive, so that no measured work can be optimised away. */
const sink: { value: unknown } = { value: undefined };

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Times of several things measured in turn, round by round, so that other load on the machine affects all of them alike. */
export class Rounds<Name extends string> {
  private readonly times = new Map<Name, number[]>();

  /** Does one round; a call returns its own time, because only a part of it may count. */
  round(calls: Readonly<Record<Name, () => number>>): void {
    for (const name of Object.keys(calls) as Name[]) {
      const times = this.times.get(name) ?? [];
      times.push(calls[name]());
      this.times.set(name, times);
    }
  }

  median(name: Name): number {
    return median(this.times.get(name) ?? []);
  }

  /** The median of one time over another, round by round. */
  ratio(over: Name, under: Name): number {
    const [a, b] = [this.times.get(over) ?? [], this.times.get(under) ?? []];
    return median(a.map((time, index) => time / (b[index] ?? Number.NaN)));
  }
}

/** Collects garbage of other measurements first; the bench runner exposes the collector. */
export function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

export function atLeast(item: string, ours: string, limit: string, ratio: number, bar: number): BenchRow {
  return { item, ours, limit, ratio: round(ratio), bar: `≥ ${bar}×`, pass: ratio >= bar };
}

export function atMost(item: string, ours: string, limit: string, ratio: number, bar: number): BenchRow {
  return { item, ours, limit, ratio: round(ratio), bar: `≤ ${bar}×`, pass: ratio <= bar };
}

/** Three significant digits. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
