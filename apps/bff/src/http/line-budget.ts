import type { Log } from '@l4desk/feed';

/** Lines of one group of requests in a window of time. */
const LINES_MAX = 100;
const WINDOW_MS = 10_000;

/** What a window left out of one group. */
interface Omitted {
  lines: number;
  readonly byStatus: Record<string, number>;
}

/**
 * Bounds the log lines of requests that cost nothing: those without a credential, and those that are refused or fail.
 * Each account has a share, and so have all callers without one together: the first lines of a window of time are written,
 * and one more says what was left out (OPS-15).
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

  /** Lines left out since the start. */
  get linesOmitted(): number {
    return this.#linesOmitted;
  }

  /** Whether a request with this status may have a line; `account` is undefined for a caller without a good credential. */
  takes(account: string | undefined, status: number): boolean {
    // Faults of the service must not be lost among those of its callers, nor page views among either.
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

  /** Ends the window, and says what it left out. */
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
