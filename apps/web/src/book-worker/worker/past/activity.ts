import type { History } from '@l4desk/insight';

/**
 * Counts changes in equal parts of a history's time. Every strip covers thousands of blocks, so their times and change counts are
 * kept in arrays: looking each block up took longer than the rest of a frame.
 */
export class Activity {
  readonly #line: History;
  /** Ring buffers by place: with room for all places kept at once. */
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

  /** Changes in equal parts of the kept time; empty while nothing is kept. */
  parts(count: number): readonly number[] {
    const { first, last } = this.#line;
    if (first < 0) return [];
    this.#learn();
    const [times, changes] = [this.#times, this.#changes];
    const room = times.length;
    const counts = Array.from({ length: count }, () => 0);
    const from = times[first % room] as number;
    const span = Math.max(1, (times[last % room] as number) - from);
    // The state before all kept blocks changed nothing.
    for (let place = first + 1; place <= last; place += 1) {
      const at = place % room;
      // Behind a gap, blocks can be older than those before it.
      const part = Math.floor((((times[at] as number) - from) / span) * count);
      const shown = Math.min(count - 1, Math.max(0, part));
      counts[shown] = (counts[shown] as number) + (changes[at] as number);
    }
    return counts;
  }

  /** Looks up the places added since the last time. */
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
