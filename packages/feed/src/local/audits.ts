import { Audit, type AuditVerdict, describeDifference, describeFinding } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { type Backoff, backoffMs, type Log } from '@l4desk/runtime';
import { afterReading, type SystemClock } from '@l4desk/runtime/node';
import type { CoinView } from '../blocks/upstream-block.ts';
import type { FollowSettings, L4Tuning } from '../settings.ts';
import type { UpstreamSnapshot } from '../sources/source.ts';
import { AuditSchedule } from './audit-schedule.ts';

/** How often each coin is audited (0 is never), and how long after a greater height a block may still arrive (UP-9), in ms. */
export interface AuditSettings extends Pick<FollowSettings, 'auditMs' | 'reorderMs'> {
  readonly tuning: L4Tuning;
}

export interface AuditDeps {
  readonly view: (coin: string) => CoinView | null;
  /** Fetches a fresh upstream snapshot, separately from the stream; calls `onProgress` whenever part of it arrives. */
  readonly fetch: (coin: string, signal: AbortSignal, onProgress: () => void) => Promise<UpstreamSnapshot>;
  /** Whether the upstream has time for an audit; `resume` is called when it has time again. */
  readonly mayStart: () => boolean;
  /** Called when the coin's book differs from the upstream's, or when audits cannot tell whether it does. */
  readonly failed: (coin: string, detail: string) => void;
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
}

interface Run {
  readonly coin: string;
  readonly view: CoinView;
  readonly audit: Audit;
  readonly controller: AbortController;
  /** When the published height last changed, or the snapshot arrived. */
  movedAt: number;
  /** How long the snapshot took; null while there is none. */
  upstreamMs: number | null;
  /** Ends a wait for blocks. */
  wake: () => void;
}

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'abandoned'; readonly why: string };

/** An upstream snapshot this many heights behind the book is not merely late: the chain was restarted. */
const FAR_BACK_HEIGHTS = 1_000;

/** Number of consecutive audits of a coin without a verdict after which its book counts as lost. */
const ABANDONED_MAX = 4;

/** When to repeat an inconclusive audit. Waiting for its next regular turn would double the time bound. */
const RETRY: Backoff = { firstMs: 1_000, longestMs: 10_000 };

/** Compares every live coin with an upstream snapshot, one at a time: a lost block may leave no trace (UP-10). */
export class Audits {
  /** `abandoned`: no verdict, because no snapshot arrived, the book did not reach its height, or the coin was rebuilt. */
  readonly counters = { passed: 0, failed: 0, abandoned: 0 };
  readonly #settings: AuditSettings;
  readonly #deps: AuditDeps;
  readonly #schedule: AuditSchedule;
  /** Number of consecutive inconclusive audits, by coin. */
  readonly #abandoned = new Map<string, number>();
  #run: Run | null = null;
  #cancelTimer = () => {};
  #closed = false;

  constructor(settings: AuditSettings, deps: AuditDeps) {
    this.#settings = settings;
    this.#deps = deps;
    this.#schedule = new AuditSchedule(settings.auditMs, settings.tuning.auditShareMax);
  }

  /** Current audit period of each coin, in ms; 0 is never. */
  get periodMs(): number {
    return this.#schedule.periodMs;
  }

  watch(coin: string): void {
    if (this.#settings.auditMs === 0) return;
    this.#schedule.add(coin, this.#deps.clock.now());
    this.resume();
  }

  /** A coin is no longer live. A running audit ends without a verdict. */
  forget(coin: string): void {
    this.#schedule.remove(coin);
    this.#abandoned.delete(coin);
    if (this.#run?.coin === coin) this.#end(this.#run);
  }

  /** Audits a coin as soon as no other audit runs. */
  hurry(coin: string): void {
    this.#schedule.hurry(coin, this.#deps.clock.now());
    this.resume();
  }

  record(coin: string, height: number, changes: readonly BookChange[]): void {
    if (this.#run?.coin === coin) this.#run.audit.record(height, changes);
  }

  moved(): void {
    if (this.#run === null) return;
    this.#run.movedAt = this.#deps.clock.now();
    this.#run.wake();
  }

  resume(): void {
    this.#cancelTimer();
    const { clock } = this.#deps;
    if (this.#run !== null || this.#closed) return;
    const next = this.#schedule.next();
    if (next === null) return;
    this.#cancelTimer = clock.after(Math.max(0, next.at - clock.now()), () => this.#start(next.coin));
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    if (this.#run !== null) this.#end(this.#run);
  }

  #start(coin: string): void {
    const { clock, mayStart, view: viewOf } = this.#deps;
    if (!mayStart()) return;
    const view = viewOf(coin);
    if (view === null) {
      this.forget(coin);
      return;
    }
    const now = clock.now();
    const run: Run = {
      coin,
      view,
      audit: new Audit(view.height),
      controller: new AbortController(),
      movedAt: now,
      upstreamMs: null,
      wake: () => {},
    };
    run.controller.signal.addEventListener('abort', () => run.wake());
    this.#run = run;
    this.#schedule.started(coin, now);
    void this.#audit(run);
  }

  async #audit(run: Run): Promise<void> {
    const { clock } = this.#deps;
    const cancel = clock.after(this.#settings.tuning.auditLongestMs, () =>
      run.controller.abort(new Error('audit timed out')),
    );
    const outcome = await this.#outcome(run);
    cancel();
    if (this.#run !== run) return;
    this.#run = null;
    if (run.upstreamMs !== null) this.#schedule.ended(run.coin, clock.now(), run.upstreamMs);
    this.#conclude(run.coin, outcome);
    this.resume();
  }

  #end(run: Run): void {
    this.#run = null;
    this.counters.abandoned += 1;
    run.controller.abort();
    this.resume();
  }

  async #outcome(run: Run): Promise<Outcome> {
    try {
      const snapshot = await this.#fetch(run);
      return outcomeOf(await this.#verdict(run, snapshot), snapshot, run.view);
    } catch (error) {
      return { kind: 'abandoned', why: error instanceof Error ? error.message : String(error) };
    }
  }

  #conclude(coin: string, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'passed':
        this.counters.passed += 1;
        this.#abandoned.delete(coin);
        return;
      case 'failed':
        this.counters.failed += 1;
        this.#deps.failed(coin, outcome.detail);
        return;
      case 'abandoned':
        this.#abandon(coin, outcome.why);
    }
  }

  /** Retries the coin within seconds. After `ABANDONED_MAX` audits in a row without a verdict the book counts as lost. */
  #abandon(coin: string, why: string): void {
    const { clock, failed, log, random } = this.#deps;
    const inRow = (this.#abandoned.get(coin) ?? 0) + 1;
    this.counters.abandoned += 1;
    this.#abandoned.set(coin, inRow);
    log.warn({ coin, why, inRow }, 'audit inconclusive');
    if (inRow >= ABANDONED_MAX) failed(coin, `${inRow} inconclusive audits in a row: ${why}`);
    else this.#schedule.hurry(coin, clock.now() + backoffMs(inRow, RETRY, random));
  }

  async #fetch(run: Run): Promise<UpstreamSnapshot> {
    const { clock, fetch } = this.#deps;
    const { coin, controller } = run;
    const startedAt = clock.now();
    let progressAt: number | null = null;
    let cancel = () => {};
    const restart = () => {
      cancel();
      cancel = clock.after(this.#settings.tuning.auditWithinMs, () => controller.abort());
    };
    restart();
    try {
      const snapshot = await fetch(coin, controller.signal, () => {
        progressAt = clock.now();
        restart();
      });
      // After its last part the upstream is idle: the source may wait for blocks that complete the snapshot.
      run.upstreamMs = (progressAt ?? clock.now()) - startedAt;
      return snapshot;
    } finally {
      cancel();
    }
  }

  /** Compares once the book has reached the snapshot's height (UP-27), or no block has arrived for long. */
  async #verdict(run: Run, { height, levels }: UpstreamSnapshot): Promise<AuditVerdict> {
    const { clock, view } = this.#deps;
    const { reorderMs, tuning } = this.#settings;
    const { auditQuietMs: quietMs, auditSilentMs: silentMs } = tuning;
    const check = (position: number) => run.audit.check({ position: height, levels }, run.view.book, position);
    const reached = () => view(run.coin)?.height ?? height;
    run.movedAt = clock.now();
    let compared = false;
    for (;;) {
      run.controller.signal.throwIfAborted();
      const stillMs = clock.now() - run.movedAt;
      if (stillMs >= silentMs) return check(Math.max(reached(), height));
      if (reached() >= height) {
        const verdict = check(reached());
        const isSure = reorderMs === 0 || (verdict.kind !== 'different' && verdict.kind !== 'finding');
        if (isSure) return verdict;
        await this.#lateBlocks(run, height, reached);
        // Behind again: a block arrived that waits for an earlier one.
        if (reached() < height) continue;
        return check(reached());
      }
      if (!compared && stillMs >= quietMs) {
        compared = true;
        const verdict = check(height);
        if (verdict.kind === 'equal') return verdict;
      }
      await this.#movedWithin(run, (compared ? silentMs : quietMs) - stillMs);
    }
  }

  /** Waits `reorderMs` for a block that was swapped with a later one and may explain a difference (UP-22, UP-27). */
  async #lateBlocks(run: Run, height: number, reached: () => number): Promise<void> {
    const { clock } = this.#deps;
    const { reorderMs, tuning } = this.#settings;
    let passedAt: number | null = null;
    for (;;) {
      run.controller.signal.throwIfAborted();
      const now = clock.now();
      if (passedAt === null && reached() > height) passedAt = now;
      const waitMs = passedAt === null ? run.movedAt + tuning.auditQuietMs - now : passedAt + reorderMs - now;
      if (waitMs <= 0) return;
      await this.#movedWithin(run, waitMs);
    }
  }

  /** Resolves when the published height changes, at the latest after `ms`. */
  #movedWithin(run: Run, ms: number): Promise<void> {
    const { clock } = this.#deps;
    return new Promise((resolve) => {
      const cancel = afterReading(clock, ms, () => run.wake());
      run.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function outcomeOf(verdict: AuditVerdict, snapshot: UpstreamSnapshot, view: CoinView): Outcome {
  switch (verdict.kind) {
    case 'equal':
      return { kind: 'passed' };
    case 'different':
      return { kind: 'failed', detail: `at ${verdict.position}: ${describeDifference(verdict.difference)}` };
    case 'finding': {
      const first = verdict.findings[0];
      const what = first === undefined ? 'finding' : describeFinding(first);
      return { kind: 'failed', detail: `upstream snapshot at ${snapshot.height}: ${what}` };
    }
    case 'too-old': {
      const detail = `upstream is at ${snapshot.height}, the book at ${view.height}`;
      const isFarBack = snapshot.height < view.height - FAR_BACK_HEIGHTS;
      return isFarBack ? { kind: 'failed', detail } : { kind: 'abandoned', why: detail };
    }
    case 'ahead':
    case 'overrun':
      return { kind: 'abandoned', why: verdict.kind };
  }
}
