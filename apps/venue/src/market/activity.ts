import type { Random } from '../engine/random.ts';

interface Mood {
  readonly percent: number;
  /** Mean duration in blocks. */
  readonly lasts: number;
  readonly weight: number;
}

/** Long quiet stretches and short bursts; slightly over 100 percent on average. */
const MOODS: readonly Mood[] = [
  { percent: 60, lasts: 20, weight: 40 },
  { percent: 100, lasts: 20, weight: 40 },
  { percent: 250, lasts: 10, weight: 15 },
  { percent: 700, lasts: 4, weight: 5 },
];

const WEIGHTS = MOODS.reduce((sum, mood) => sum + mood.weight, 0);

/** How active a coin is from block to block. */
export class Activity {
  readonly #random: Random;
  #mood: Mood;

  constructor(random: Random) {
    this.#random = random;
    this.#mood = drawMood(random);
  }

  /** Activity in the next block, in percent of the mean. */
  next(): number {
    if (this.#random.chance(1, this.#mood.lasts)) this.#mood = drawMood(this.#random);
    return this.#mood.percent;
  }
}

function drawMood(random: Random): Mood {
  let ticket = random.int(WEIGHTS);
  for (const mood of MOODS) {
    ticket -= mood.weight;
    if (ticket < 0) return mood;
  }
  return MOODS[0] as Mood;
}
