import type { FollowEvent } from '@l4desk/client';
import { RuleWatch, type WatchHit, type WatchPosition, type WatchRule } from '@l4desk/insight';
import { type Suspicion, suspicionOf } from '../clocks.ts';
import type { FeedTimes } from '../feed-times.ts';
import type { JournalHit } from '../journal.ts';
import type { FromWorker } from '../messages.ts';
import type { BookAt } from './book-at.ts';
import { BookJournal, type JournalDeps, type Trouble, type Unseen } from './book-journal.ts';
import { Pace } from './pace.ts';

/** A rule may fire with every block: neither the journal nor the alerts are drawn that often. */
const HITS_MS = 1_000;

interface NotesDeps extends Omit<JournalDeps, 'note'> {
  readonly later: (task: () => void, ms: number) => void;
  readonly post: (message: FromWorker) => void;
  readonly isLive: () => boolean;
  readonly times: () => FeedTimes;
  /** Why the service says that its books are stale; undefined if it does not. */
  readonly staleReason: () => string | undefined;
}

/** Notes on the followed book besides showing it: the session's journal, and hits of the person's watch rules. */
export class BookNotes {
  readonly #deps: NotesDeps;
  #coin = '';
  #journal: BookJournal;
  #rules: readonly WatchRule[] = [];
  /** Undefined without rules. */
  #watch: RuleWatch | undefined;
  /** Not yet reported. */
  #hits: JournalHit[] = [];
  readonly #pace: Pace;

  constructor(deps: NotesDeps) {
    this.#deps = deps;
    this.#pace = new Pace(deps, HITS_MS, () => deps.post({ kind: 'hits', hits: this.#hits.splice(0) }));
    this.#journal = this.#newJournal();
  }

  /** Replaces the rules; conditions that already hold do not fire. */
  setRules(rules: readonly WatchRule[]): void {
    this.#rules = rules;
    this.#beginWatch();
  }

  follow(coin: string): void {
    this.#coin = coin;
    this.#journal = this.#newJournal();
    this.#beginWatch();
  }

  get unseen(): Unseen {
    return this.#journal.unseen;
  }

  /** The live book was dropped for a recording. */
  rest(): void {
    this.#journal.rest();
  }

  onEvent(event: FollowEvent): void {
    this.#journal.onEvent(event);
    const live = this.#deps.live();
    if (live === undefined || this.#watch === undefined) return;
    if (event.kind === 'book') this.#report(this.#watch.onBook(live.book, positionOf(live)));
    if (event.kind === 'block') this.#report(this.#watch.onBlock(event.batch.changes, live.book, positionOf(live)));
  }

  /** Checks whether the feed is suspect or stale, which changes without a block; to be called a few times a second. */
  look(): void {
    const { isLive, now, times, staleReason } = this.#deps;
    const suspicion = isLive() ? suspicionOf({ times: times() }, now()) : undefined;
    if (isLive()) this.#journal.look(troubleOf(suspicion, staleReason()));
    const live = this.#deps.live();
    if (live !== undefined) this.#report(this.#watch?.onFeed(suspicion?.reason ?? null, positionOf(live)) ?? []);
  }

  #newJournal(): BookJournal {
    const { post } = this.#deps;
    return new BookJournal({ ...this.#deps, note: (entry) => post({ kind: 'journal', entry }) }, this.#coin);
  }

  #beginWatch(): void {
    const live = this.#deps.live();
    this.#watch = this.#rules.length === 0 ? undefined : new RuleWatch(this.#coin, this.#rules);
    if (live !== undefined) this.#watch?.onBook(live.book, positionOf(live));
  }

  #report(hits: readonly WatchHit[]): void {
    if (hits.length === 0) return;
    const at = this.#deps.now();
    this.#hits.push(...hits.map((hit) => ({ at, hit })));
    this.#pace.want();
  }
}

function troubleOf(suspicion: Suspicion | undefined, staleReason: string | undefined): Trouble | undefined {
  if (staleReason !== undefined) return { kind: 'stale', reason: 'upstream', detail: staleReason };
  return suspicion && { kind: 'suspect', reason: suspicion.reason, detail: suspicion.text };
}

function positionOf({ position: { height, blockTime, epoch } }: BookAt): WatchPosition {
  return { height, time: blockTime, epoch };
}
