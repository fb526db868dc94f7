import { changesOf, type History, RuleTrial, type WalkStep } from '@l4desk/insight';
import { suspicionOf } from '../clocks.ts';
import type { KeptBlock } from '../panes/past.ts';
import type { TrialReport, WatchRule } from '../watch.ts';
import { FeedTiming } from './feed-timing.ts';

/** Length of one turn of a trial: new blocks wait at most this long. */
const TURN_MS = 6;

/** Time between two progress reports. */
const TOLD_MS = 200;

/** Hits that are listed: the last ones. */
const HITS_MAX = 200;

interface RuleTrialsDeps {
  /** The history to try rules on. */
  readonly line: () => History;
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  readonly tell: (serial: number, trial: TrialReport) => void;
}

/** The trial in progress. */
interface Running {
  readonly serial: number;
  readonly steps: Iterator<WalkStep, void, undefined>;
  readonly trial: RuleTrial;
  /** The pace of the blocks by their own times; undefined if no rule is about it. */
  readonly timing: FeedTiming | undefined;
  readonly total: number;
  readonly gaps: number;
  done: number;
  from: KeptBlock | undefined;
  to: KeptBlock | undefined;
  spanMs: number;
  toldAt: number;
}

/** Tries watch rules on the kept minutes, a few milliseconds at a time, so that the live book keeps updating. */
export class RuleTrials {
  readonly #deps: RuleTrialsDeps;
  #running: Running | undefined;

  constructor(deps: RuleTrialsDeps) {
    this.#deps = deps;
  }

  /** Starts a trial in place of the current one; without rules it only ends that. */
  begin(serial: number, rules: readonly WatchRule[]): void {
    this.#running = undefined;
    if (rules.length === 0) return;
    const line = this.#deps.line();
    if (line.first < 0) return this.#deps.tell(serial, { kind: 'nothing' });
    const running: Running = {
      serial,
      steps: line.walk(),
      trial: new RuleTrial(line.coin, rules, { hitsMax: HITS_MAX }),
      timing: rules.some(({ kind }) => kind === 'suspect') ? new FeedTiming() : undefined,
      // Every block is visited twice: back and forth.
      total: 2 * line.size.blocks,
      gaps: line.gaps.length,
      done: 0,
      from: undefined,
      to: undefined,
      spanMs: 0,
      toldAt: this.#deps.now(),
    };
    this.#running = running;
    this.#deps.tell(serial, { kind: 'running', done: 0, total: running.total });
    this.#deps.later(() => this.#turn(running), 0);
  }

  /** Another coin is followed: the trial no longer applies. */
  forget(): void {
    this.#running = undefined;
  }

  /** Loop "trial": runs until every kept block was visited, or another trial replaces it. */
  #turn(running: Running): void {
    if (running !== this.#running) return;
    const { now, later, tell } = this.#deps;
    const until = now() + TURN_MS;
    do {
      const step = running.steps.next();
      if (step.done === true) return this.#end(running);
      take(running, step.value);
    } while (now() < until);
    if (now() - running.toldAt >= TOLD_MS) {
      running.toldAt = now();
      tell(running.serial, { kind: 'running', done: running.done, total: running.total });
    }
    later(() => this.#turn(running), 0);
  }

  #end({ serial, trial, from, to, spanMs, gaps }: Running): void {
    this.#running = undefined;
    const isEmpty = from === undefined || to === undefined;
    this.#deps.tell(
      serial,
      isEmpty ? { kind: 'nothing' } : { kind: 'done', tried: trial.result, from, to, spanMs, gaps },
    );
  }
}

function take(running: Running, step: WalkStep): void {
  const { trial, timing } = running;
  if (step.kind !== 'book') running.done += 1;
  if (step.kind === 'rewind') return;
  const { mark, book } = step;
  const { height, time } = mark;
  if (timing !== undefined) tryFeed(running, timing, step);
  if (step.kind === 'book') trial.onBook(book, mark);
  else {
    trial.onBlock(changesOf(step.events), book, mark);
    running.spanMs += time - (running.to?.time ?? time);
  }
  running.from ??= { height, time };
  running.to = { height, time };
}

/**
 * Judges the silence before a block by the pace of the blocks before it, as it would have been judged live had every block come
 * at its own time. What delayed blocks on their way is not kept; a gap is an outage, not a silence.
 */
function tryFeed(
  { trial, to }: Running,
  timing: FeedTiming,
  { kind, mark }: Exclude<WalkStep, { kind: 'rewind' }>,
): void {
  const { time } = mark;
  if (kind === 'book') timing.onBook(time);
  else {
    const suspicion = suspicionOf({ times: timing.times }, time);
    // Live, the silence is noticed at the block before it.
    if (suspicion !== undefined && to !== undefined) trial.onFeed(suspicion.reason, { ...mark, ...to });
    timing.onBlock(time, time);
  }
  trial.onFeed(null, mark);
}
