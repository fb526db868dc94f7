/** The queue of one account. */
interface Line {
  /** Resolves when the last queued caller is done. */
  last: Promise<void>;
  waiting: number;
}

/** Runs the work of each account one at a time, so that one account never occupies more than one worker. */
export class AccountTurns {
  readonly #waitingMax: number;
  readonly #lines = new Map<string, Line>();

  /** `waitingMax` is the maximum number of waiting callers per account. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Runs when the account's earlier callers are done. Returns undefined if too many are already waiting. */
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
