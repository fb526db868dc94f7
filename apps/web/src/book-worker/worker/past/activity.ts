import type { History } from '@l4desk/insight';

/**
 * How much changed in each part of what a history keeps. Thousands of blocks are counted for every strip, so the time of each
 * and its changes lie side by side: looking each block up took longer than everything else that a frame needs.
 */
export class Activity {
  readonly #line: History;
  /** By place, over and over: no more places are kept at once than there is room for. */
  readonly #times: Float64Array;
  readonly #changes: Uint32Array;
  /** The newest place that was looked up. */
  #known = -1;

  constructor(line: History) {
    const { blocks, stretches } = line.bounds;
    this.#line = line;
    this.#times = new Float64Array(blocks + stretches + 1);
    this.#changes = new Uint32Array(blocks + stretches + 1);
  }

  isOf(line: History): boolean {
    return this.#line === line;
  }

  /** Changes by equal parts of the kept time; none while nothing is kept. */
  parts(count: number): readonly number[] {
    const { first, last } = this.#line;
    if (first < 0) return [];
    this.#learn();
    const [times, changes] = [this.#times, this.#changes];
    const room = times.length;
    const counts = Array.from({ length: count }, () => 0);
    const from = times[first % room] as number;
    const span = Math.max(1, (times[last % room] as number) - from);
    // The state in front of all kept blocks changed nothing.
    for (let place = first + 1; place <= last; place += 1) {
      const at = place % room;
      const part = Math.min(count - 1, Math.floor((((times[at] as number) - from) / span) * count));
      counts[part] = (counts[part] as number) + (changes[at] as number);
    }
    return counts;
  }

  /** Looks up the places that came since the last time. */
  #learn(): void {
    const line = this.#line;
    const room = this.#times.length;
    for (let place = Math.max(this.#known + 1, line.first); place <= line.last; place += 1) {
      this.#times[place % room] = line.markAt(place).time;
      this.#changes[place % room] = line.blockAt(place)?.count ?? 0;
    }
    this.#known = line.last;
  }
}
