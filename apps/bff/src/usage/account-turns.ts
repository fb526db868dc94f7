/** Callers of one account. */
interface Line {
  /** Ends when the last of them has had its turn. */
  last: Promise<void>;
  waiting: number;
}

/** Has the callers of an account wait for each other, so that one account never keeps more than one of a thing busy. */
export class AccountTurns {
  readonly #waitingMax: number;
  readonly #lines = new Map<string, Line>();

  /** At most this many callers of an account wait. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Runs when the earlier ones of the account are done; undefined when too many wait already. */
  take<T>(accountId: string, run: () => Promise<T>): Promise<T> | undefined {
    const line = this.#lines.get(accountId) ?? { last: Promise.resolve(), waiting: -1 };
    if (line.waiting >= this.#waitingMax) return undefined;
    line.waiting += 1;
    this.#lines.set(accountId, line);
    const turn = line.last.then(run);
    const end = () => {
      line.waiting -= 1;
      if (line.waiting < 0) this.#lines.delete(accountId);
    };
    line.last = turn.then(end, end);
    return turn;
  }
}
