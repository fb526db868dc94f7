import type { LadderFrame, LadderRow } from '../ladder-frame.ts';
import type { Marks } from './marks.ts';

/** The orders of all lanes of a frame, in arrays that are reused from frame to frame: there are thousands of them. */
export class Lanes {
  readonly #owners: Marks;
  #sizes = new Float64Array(4_096);
  #marks = new Uint8Array(4_096);
  #length = 0;

  constructor(owners: Marks) {
    this.#owners = owners;
  }

  begin(): void {
    this.#length = 0;
  }

  add(
    length: number,
    sizeOf: (place: number) => number,
    userOf: (place: number) => string | null,
  ): Pick<LadderRow, 'laneStart' | 'laneLength'> {
    const laneStart = this.#length;
    this.#length += length;
    if (this.#length > this.#sizes.length) this.#grow();
    for (let place = 0; place < length; place += 1) {
      this.#sizes[laneStart + place] = sizeOf(place);
      this.#marks[laneStart + place] = this.#owners.of(userOf(place));
    }
    return { laneStart, laneLength: length };
  }

  get filled(): Pick<LadderFrame, 'lanes' | 'marks'> {
    return { lanes: this.#sizes.subarray(0, this.#length), marks: this.#marks.subarray(0, this.#length) };
  }

  #grow(): void {
    const [sizes, marks] = [this.#sizes, this.#marks];
    this.#sizes = new Float64Array(2 * this.#length);
    this.#marks = new Uint8Array(2 * this.#length);
    this.#sizes.set(sizes);
    this.#marks.set(marks);
  }
}
