/** The heights a coin spoke of lately, to tell a repeat from a block that comes too late (UP-8). */
export class RecentHeights {
  readonly #heights = new Set<number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(height: number): void {
    this.#heights.add(height);
    if (this.#heights.size <= this.#most) return;
    // A set remembers the order of entry: the first is the oldest.
    for (const oldest of this.#heights) {
      this.#heights.delete(oldest);
      return;
    }
  }

  has(height: number): boolean {
    return this.#heights.has(height);
  }
}
