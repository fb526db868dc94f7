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
  readonly startedAt: number;
  deadline: number;
  setback: Error | undefined;
  isAbandoned = false;
  onAbandoned: (() => void) | undefined;
  readonly #onClose: () => void;
  readonly #seats = new Set<Seat<T>>();

  constructor(now: number, deadline: number, start: (flight: Flight) => Promise<T>, onClose: () => void) {
    this.startedAt = now;
    this.deadline = deadline;
    this.#onClose = onClose;
    start(this).then(
      (answer) => this.#land((seat) => seat.resolve(answer)),
      (error: unknown) => this.#land((seat) => seat.reject(error)),
    );
  }

  close(): void {
    this.#onClose();
  }

  board(seat: Seat<T>, deadline: number): void {
    this.deadline = Math.max(this.deadline, deadline);
    this.#seats.add(seat);
  }

  leave(seat: Seat<T>): void {
    if (!this.#seats.delete(seat) || this.#seats.size > 0) return;
    this.close();
    this.isAbandoned = true;
    this.onAbandoned?.();
  }

  #land(tell: (seat: Seat<T>) => void): void {
    this.close();
    for (const seat of this.#seats) tell(seat);
    this.#seats.clear();
  }
}

/** A passenger's place in one call. */
class Seat<T> {
  readonly flight: SharedFlight<T>;
  readonly #party: Party<T>;
  readonly #resolve: (answer: T) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    flight: SharedFlight<T>,
    party: Party<T>,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.flight = flight;
    this.#party = party;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resolve(answer: T): void {
    this.#party.forget(this);
    this.#resolve(answer);
  }

  reject(error: unknown): void {
    this.#party.forget(this);
    this.#reject(error);
  }

  /** Leaves before the call is over. */
  leave(error: unknown): void {
    this.flight.leave(this);
    this.reject(error);
  }
}

/** What a passenger brings. */
export interface Passenger {
  readonly timeoutMs: number;
  /** Aborts when this one does not want the answer any more; the others go on. */
  readonly signal?: AbortSignal | undefined;
  /** What it is told when its own time is over. */
  readonly timeoutError: () => Error;
}

/** A passenger on one call or on several: one timer and one listener for all of them, whose number is what a batch costs. */
class Party<T> {
  readonly deadline: number;
  readonly #passenger: Passenger;
  readonly #seats = new Set<Seat<T>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(passenger: Passenger) {
    this.#passenger = passenger;
    this.deadline = performance.now() + passenger.timeoutMs;
  }

  /** Why it may not travel any more. */
  get end(): Error | undefined {
    const { signal } = this.#passenger;
    return signal?.aborted === true ? (signal.reason as Error) : undefined;
  }

  add(seat: Seat<T>): void {
    if (this.#seats.size === 0) this.#arm();
    this.#seats.add(seat);
  }

  forget(seat: Seat<T>): void {
    this.#seats.delete(seat);
    if (this.#seats.size > 0) return;
    clearTimeout(this.#timer);
    this.#passenger.signal?.removeEventListener('abort', this.#onAbort);
  }

  #arm(): void {
    this.#timer = setTimeout(this.#onTimeout, this.deadline - performance.now());
    this.#passenger.signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onTimeout = (): void => {
    for (const seat of this.#seats) seat.leave(seat.flight.setback ?? this.#passenger.timeoutError());
  };

  readonly #onAbort = (): void => {
    for (const seat of this.#seats) seat.leave(this.#passenger.signal?.reason);
  };
}

/** A call that hangs must not take along who comes later: after so long a new one is made. */
const JOINABLE_MS = 1_000;

/** Gets the answer to what `key` asks: of a call under way, or of a new one that `start` begins. */
type Join<T> = (key: string, start: (flight: Flight) => Promise<T>) => Promise<T>;

/**
 * Calls under way, by what they ask: identical queries share one call while none of its answer is there. Nothing outlives
 * the call. Each passenger has a deadline and a signal of its own, and the call ends early only when the last one leaves.
 */
export class Flights<T> {
  readonly #joinable = new Map<string, SharedFlight<T>>();

  /** Joins calls on behalf of one passenger, whose time begins now. */
  by(passenger: Passenger): Join<T> {
    const party = new Party<T>(passenger);
    return (key, start) => {
      const { end } = party;
      if (end !== undefined) return Promise.reject(end);
      return new Promise((resolve, reject) => {
        const flight = this.#flight(key, party.deadline, start);
        const seat = new Seat(flight, party, resolve, reject);
        party.add(seat);
        flight.board(seat, party.deadline);
      });
    };
  }

  #flight(key: string, deadline: number, start: (flight: Flight) => Promise<T>): SharedFlight<T> {
    const now = performance.now();
    const known = this.#joinable.get(key);
    if (known !== undefined && now - known.startedAt <= JOINABLE_MS) return known;
    const flight: SharedFlight<T> = new SharedFlight(now, deadline, start, () => {
      if (this.#joinable.get(key) === flight) this.#joinable.delete(key);
    });
    this.#joinable.set(key, flight);
    return flight;
  }
}
