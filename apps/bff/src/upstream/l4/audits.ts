import { Audit, type AuditVerdict, describeDifference, describeFinding } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import type { Log } from './api.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { CoinView } from './sequencer.ts';
import type { UpstreamSnapshot } from './source.ts';

export interface AuditSettings {
  /** How often each coin is audited, in ms; 0 is never. */
  readonly everyMs: number;
  readonly withinMs: number;
  readonly aheadMs: number;
}

/** What audits need from around them. */
export interface AuditDeps {
  readonly view: (coin: string) => CoinView | null;
  /** Fetches a fresh upstream snapshot on a way of its own. */
  readonly fetch: (coin: string, signal: AbortSignal) => Promise<UpstreamSnapshot>;
  /** The coin's book is not the upstream's. */
  readonly failed: (coin: string, detail: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

export interface AuditCounters {
  passed: number;
  failed: number;
  /** No verdict: no snapshot came, or the coin was rebuilt meanwhile. */
  abandoned: number;
}

interface Run {
  readonly coin: string;
  readonly view: CoinView;
  readonly audit: Audit;
  readonly controller: AbortController;
  /** Called when the live book moved on. */
  onMoved: () => void;
}

/** An upstream snapshot so many heights before the book is no slow one: the chain began again. */
const FAR_BACK_HEIGHTS = 1_000;

/** When an audit that came to no verdict is made again: the next regular time would double the bound. */
const RETRY: Backoff = { firstMs: 1_000, longestMs: 10_000 };

/**
 * Compares every live coin with a fresh upstream snapshot, order by order, at least every `everyMs`: a lost block may
 * leave no other trace (UP-10). One coin at a time, spread over the period by chance.
 */
export class Audits {
  readonly counters: AuditCounters = { passed: 0, failed: 0, abandoned: 0 };
  readonly #settings: AuditSettings;
  readonly #deps: AuditDeps;
  readonly #due = new Map<string, number>();
  /** Audits in a row that came to no verdict, by coin. */
  readonly #abandoned = new Map<string, number>();
  #run: Run | null = null;
  #cancelTimer = () => {};
  #closed = false;

  constructor(settings: AuditSettings, deps: AuditDeps) {
    this.#settings = settings;
    this.#deps = deps;
  }

  /** A coin became live. */
  watch(coin: string): void {
    if (this.#settings.everyMs === 0) return;
    const { clock, random } = this.#deps;
    this.#due.set(coin, clock.now() + this.#settings.everyMs * (0.5 + random() / 2));
    this.#arm();
  }

  /** A coin is no longer live. */
  forget(coin: string): void {
    this.#due.delete(coin);
    this.#abandoned.delete(coin);
    if (this.#run?.coin === coin) this.#run.controller.abort();
  }

  /** Audits a coin as soon as no other audit runs. */
  hurry(coin: string): void {
    if (!this.#due.has(coin)) return;
    this.#due.set(coin, this.#deps.clock.now());
    this.#arm();
  }

  /** A live coin took in a block. */
  record(coin: string, height: number, changes: readonly BookChange[]): void {
    if (this.#run?.coin === coin) this.#run.audit.record(height, changes);
  }

  /** The published height moved. */
  moved(): void {
    this.#run?.onMoved();
  }

  close(): void {
    this.#closed = true;
    this.#due.clear();
    this.#cancelTimer();
    this.#run?.controller.abort();
  }

  #arm(): void {
    this.#cancelTimer();
    if (this.#run !== null || this.#closed) return;
    let next: { readonly coin: string; readonly at: number } | null = null;
    for (const [coin, at] of this.#due) if (next === null || at < next.at) next = { coin, at };
    if (next === null) return;
    const { coin, at } = next;
    this.#cancelTimer = this.#deps.clock.after(Math.max(0, at - this.#deps.clock.now()), () => this.#start(coin));
  }

  #start(coin: string): void {
    const view = this.#deps.view(coin);
    // Forgotten since the timer was set: the next one is somebody else's.
    if (view === null || !this.#due.has(coin)) {
      this.#due.delete(coin);
      this.#arm();
      return;
    }
    this.#due.set(coin, this.#deps.clock.now() + this.#settings.everyMs);
    const run: Run = {
      coin,
      view,
      audit: new Audit(view.height),
      controller: new AbortController(),
      onMoved: () => {},
    };
    this.#run = run;
    void this.#audit(run).finally(() => {
      this.#run = null;
      this.#arm();
    });
  }

  async #audit(run: Run): Promise<void> {
    const { coin } = run;
    const { log } = this.#deps;
    try {
      const snapshot = await this.#fetch(run);
      const verdict = await this.#verdict(run, snapshot);
      const problem = problemOf(verdict, snapshot, run.view);
      if (problem !== null || verdict.kind === 'equal') this.#abandoned.delete(coin);
      if (problem !== null) {
        this.counters.failed += 1;
        this.#deps.failed(coin, problem);
      } else if (verdict.kind === 'equal') {
        this.counters.passed += 1;
      } else {
        this.#abandon(run);
        log.info({ coin, verdict: verdict.kind }, 'audit without a verdict');
      }
    } catch (error) {
      this.#abandon(run);
      if (!run.controller.signal.aborted) log.warn({ coin, err: error }, 'audit could not be made');
    }
  }

  /** Comes back to a coin within seconds, unless it was forgotten: then its next life has a time of its own. */
  #abandon({ coin, controller }: Run): void {
    this.counters.abandoned += 1;
    const due = this.#due.get(coin);
    if (controller.signal.aborted || due === undefined) return;
    const inRow = (this.#abandoned.get(coin) ?? 0) + 1;
    this.#abandoned.set(coin, inRow);
    const { clock, random } = this.#deps;
    this.#due.set(coin, Math.min(due, clock.now() + backoffMs(inRow, RETRY, random)));
  }

  async #fetch({ coin, controller }: Run): Promise<UpstreamSnapshot> {
    const deadline = new AbortController();
    const cancel = this.#deps.clock.after(this.#settings.withinMs, () => deadline.abort());
    try {
      return await this.#deps.fetch(coin, AbortSignal.any([controller.signal, deadline.signal]));
    } finally {
      cancel();
    }
  }

  /** Waits until the live book has reached the snapshot's height, or nothing came of the coin for so long that it was quiet. */
  async #verdict(run: Run, { height, levels }: UpstreamSnapshot): Promise<AuditVerdict> {
    const snapshot = { position: height, levels };
    let waiting = true;
    const cancel = this.#deps.clock.after(this.#settings.aheadMs, () => {
      waiting = false;
      run.onMoved();
    });
    try {
      for (;;) {
        const now = this.#deps.view(run.coin);
        if (now === null || now.book !== run.view.book) throw new Error('the coin was rebuilt meanwhile');
        const position = waiting ? now.height : Math.max(now.height, height);
        const verdict = run.audit.check(snapshot, now.book, position);
        if (verdict.kind !== 'ahead') return verdict;
        await new Promise<void>((resolve) => {
          run.onMoved = resolve;
        });
      }
    } finally {
      cancel();
    }
  }
}

/** Why the coin cannot be trusted any more, or null. */
function problemOf(verdict: AuditVerdict, snapshot: UpstreamSnapshot, view: CoinView): string | null {
  switch (verdict.kind) {
    case 'different':
      return `at ${verdict.position}: ${describeDifference(verdict.difference)}`;
    case 'finding': {
      const first = verdict.findings[0];
      return `upstream snapshot at ${snapshot.height}: ${first === undefined ? 'finding' : describeFinding(first)}`;
    }
    case 'too-old':
      return snapshot.height < view.height - FAR_BACK_HEIGHTS
        ? `upstream is at ${snapshot.height}, the book at ${view.height}`
        : null;
    case 'equal':
    case 'ahead':
    case 'overrun':
      return null;
  }
}
