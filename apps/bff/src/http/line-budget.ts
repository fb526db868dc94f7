import type { Log } from '@l4desk/feed';

/** Maximum log lines of one group of requests per window. */
const LINES_MAX = 100;
const WINDOW_MS = 10_000;

/** The omitted lines of one group in one window. */
interface Omitted {
  lines: number;
  readonly byStatus: Record<string, number>;
}

/**
 * Bounds the log lines of requests that cost no credits: those without a credential, and those that are refused or fail.
 * Each account has its own budget, and all callers without one share a budget. The first lines of a time window are
 * written, and one more line says what was omitted (OPS-15).
 */
export class LineBudget {
  readonly #log: Log;
  readonly #written = new Map<string, number>();
  readonly #omitted = new Map<string, Omitted>();
  #timer: NodeJS.Timeout | undefined;
  #linesOmitted = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Lines omitted since the start. */
  get linesOmitted(): number {
    return this.#linesOmitted;
  }

  /** Whether to log a request with this status. `account` is undefined for a caller without a valid credential. */
  takes(account: string | undefined, status: number): boolean {
    // Separate groups, so that client errors do not crowd out server errors, nor either of them page views.
    const group = `${status < 400 ? 'served' : status < 500 ? 'refused' : 'failed'} ${account ?? ''}`;
    this.#timer ??= setTimeout(() => this.close(), WINDOW_MS).unref();
    const written = this.#written.get(group) ?? 0;
    if (written < LINES_MAX) {
      this.#written.set(group, written + 1);
      return true;
    }
    const omitted = this.#omitted.get(group) ?? { lines: 0, byStatus: {} };
    this.#omitted.set(group, omitted);
    omitted.lines += 1;
    omitted.byStatus[status] = (omitted.byStatus[status] ?? 0) + 1;
    this.#linesOmitted += 1;
    return false;
  }

  /** Ends the window and logs what it omitted. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [group, { lines, byStatus }] of this.#omitted) {
      const [, account = ''] = group.split(' ');
      const who = account === '' ? {} : { account };
      this.#log.warn({ ...who, lines, byStatus }, 'request lines omitted');
    }
    this.#omitted.clear();
    this.#written.clear();
  }
}
