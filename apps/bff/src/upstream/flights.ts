/** A call on its way, shared by all who want its answer. */
export interface Flight {
  /** Whether nobody wants the answer any more. */
  readonly isAbandoned: boolean;
  /** Called when that happens: what ends the step that is under way. A plain field, for a signal costs more than a small call. */
  onAbandoned: (() => void) | undefined;
  /** The latest time, on the clock of `performance.now`, until which somebody waits for it. */
  readonly deadline: number;
  /** What holds the call up at the moment: whose time ends meanwhile is told this instead of a timeout. */
  setback: Error | undefined;
  /** From now on nobody joins: whoever asks later must not get what was decided before. */
  close(): void;
}

class SharedFlight<T> implements Flight {
  readonly startedAt = performance.now();
  readonly #onClose: () => void;
  readonly answer: Promise<T>;
  deadline: number;
  setback: Error | undefined;
  passengers = 0;
  isAbandoned = false;
  onAbandoned: (() => void) | undefined;
  #isOver = false;

  constructor(deadline: number, start: (flight: Flight) => Promise<T>, onClose: () => void) {
    this.deadline = deadline;
    this.#onClose = onClose;
    this.answer = start(this);
    // Each passenger hears of a failure by itself; one that came to nothing for everybody is no unhandled rejection.
    const end = () => {
      this.#isOver = true;
      onClose();
    };
    this.answer.then(end, end);
  }

  close(): void {
    this.#onClose();
  }

  leave(): void {
    this.passengers -= 1;
    if (this.passengers > 0 || this.#isOver) return;
    this.close();
    this.isAbandoned = true;
    this.onAbandoned?.();
  }
}

/** A call that hangs must not take along who comes later: after so long a new one is made. */
const JOINABLE_MS = 1_000;

/** What a passenger brings. */
export interface Passenger {
  readonly timeoutMs: number;
  /** Aborts when this one does not want the answer any more; the others go on. */
  readonly signal?: AbortSignal | undefined;
  /** What it is told when its own time is over. */
  readonly timeoutError: () => Error;
}

/**
 * Calls under way, by what they ask: identical queries share one call while none of its answer is there. Nothing outlives
 * the call. Each passenger has a deadline and a signal of its own, and the call ends early only when the last one leaves.
 */
export class Flights<T> {
  readonly #joinable = new Map<string, SharedFlight<T>>();

  /** The answer to what `key` asks: of a call under way, or of a new one that `start` begins. */
  join(key: string, passenger: Passenger, start: (flight: Flight) => Promise<T>): Promise<T> {
    const { timeoutMs, signal, timeoutError } = passenger;
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const now = performance.now();
    const deadline = now + timeoutMs;
    let flight = this.#joinable.get(key);
    if (flight === undefined || now - flight.startedAt > JOINABLE_MS) flight = this.#start(key, deadline, start);
    const shared = flight;
    shared.deadline = Math.max(shared.deadline, deadline);
    shared.passengers += 1;
    return new Promise((resolve, reject) => {
      let done = false;
      const finish = (): boolean => {
        if (done) return false;
        done = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        shared.leave();
        return true;
      };
      const onAbort = () => {
        if (finish()) reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        if (finish()) reject(shared.setback ?? timeoutError());
      }, timeoutMs);
      signal?.addEventListener('abort', onAbort);
      void shared.answer.then(
        (answer) => finish() && resolve(answer),
        (error: unknown) => finish() && reject(error as Error),
      );
    });
  }

  #start(key: string, deadline: number, start: (flight: Flight) => Promise<T>): SharedFlight<T> {
    const flight: SharedFlight<T> = new SharedFlight(deadline, start, () => {
      if (this.#joinable.get(key) === flight) this.#joinable.delete(key);
    });
    this.#joinable.set(key, flight);
    return flight;
  }
}
