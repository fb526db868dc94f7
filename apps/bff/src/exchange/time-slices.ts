/** Work in steps: each call of `next` does one step, and the last returns the result. */
type Steps<T> = Iterator<unknown, T>;

interface Task {
  /** Does one step. Returns whether it was the last. */
  readonly step: () => boolean;
}

/** Maximum total time of steps in one turn of the event loop. */
const SLICE_MS = 10;

/**
 * Runs long work on the event loop without blocking it. All work together gets one time slice per turn, and the event
 * loop does other work between two slices. Short work is done at once.
 */
export class TimeSlices {
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #tasks: Task[] = [];
  /** Time used by steps in this turn. */
  #usedMs = 0;
  #isTurnBooked = false;

  constructor(now: () => number = () => performance.now(), nextTurn: (run: () => void) => void = setImmediate) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** Resolves with the result of the steps, or rejects with what one of them throws. */
  async run<T>(steps: Steps<T>): Promise<T> {
    const outcome = await new Promise<() => T>((resolve) => {
      this.#tasks.push({
        step() {
          try {
            const { done, value } = steps.next();
            if (done === true) resolve(() => value);
            return done === true;
          } catch (error) {
            resolve(() => {
              throw error;
            });
            return true;
          }
        },
      });
      this.#work();
    });
    return outcome();
  }

  /** Runs steps of all tasks round-robin until this turn's slice is used. */
  #work(): void {
    const began = this.#now();
    while (this.#tasks.length > 0 && this.#usedMs + this.#now() - began < SLICE_MS) {
      const task = this.#tasks.shift();
      if (task !== undefined && !task.step()) this.#tasks.push(task);
    }
    this.#usedMs += this.#now() - began;
    if (this.#isTurnBooked) return;
    this.#isTurnBooked = true;
    this.#nextTurn(() => {
      this.#isTurnBooked = false;
      this.#usedMs = 0;
      if (this.#tasks.length > 0) this.#work();
    });
  }
}
