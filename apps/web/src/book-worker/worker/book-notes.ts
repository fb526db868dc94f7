import type { CoinBatch, FollowEvent } from '@l4desk/client';
import { RuleWatch, type WatchHit, type WatchPosition, type WatchRule } from '@l4desk/insight';
import { type Suspicion, suspicionOf } from '../clocks.ts';
import type { FeedTimes } from '../feed-times.ts';
import type { FromWorker } from '../messages.ts';
import type { Position } from '../position.ts';
import type { BookAt } from './book-at.ts';
import { BookJournal, type Trouble, type Unseen } from './book-journal.ts';

interface NotesDeps {
  readonly now: () => number;
  readonly post: (message: FromWorker) => void;
  /** The live book in any state; undefined before the first. */
  readonly live: () => BookAt | undefined;
  /** The gaps that the follower has counted. */
  readonly gaps: () => number;
  /** Whether its state is `live`. */
  readonly isLive: () => boolean;
  readonly times: () => FeedTimes;
  /** Why the service says that its books are stale; undefined if it does not. */
  readonly staleReason: () => string | undefined;
}

/** Notes on the followed book besides showing it: the session's journal, and hits of the watch rules. */
export class BookNotes {
  readonly #deps: NotesDeps;
  readonly #journal: BookJournal;
  readonly #rules: BookWatch;

  constructor(deps: NotesDeps) {
    this.#deps = deps;
    this.#journal = new BookJournal({
      now: deps.now,
      note: (entry) => deps.post({ kind: 'journal', entry }),
    });
    this.#rules = new BookWatch((hits) => {
      const at = deps.now();
      deps.post({ kind: 'hits', hits: hits.map((hit) => ({ at, hit })) });
    });
  }

  setRules(rules: readonly WatchRule[]): void {
    this.#rules.setRules(rules, this.#deps.live());
  }

  follow(coin: string): void {
    this.#journal.follow(coin);
    this.#rules.follow(coin, this.#deps.live());
  }

  /** The stretches of blocks that were not seen since the coin was chosen. */
  get unseen(): Unseen {
    return this.#journal.unseen;
  }

  /** The live book was dropped for a recording. */
  rest(): void {
    this.#journal.onRest();
  }

  hear(event: FollowEvent): void {
    switch (event.kind) {
      case 'block':
        return this.#onBlock(event.batch);
      case 'book': {
        const live = this.#deps.live();
        if (live === undefined) return;
        this.#journal.onBook(live.book, live.position, this.#deps.gaps());
        return this.#rules.onBook(live);
      }
      case 'state':
        return this.#journal.onState(event.state, event.previous);
      case 'resumed':
        return this.#journal.onResumed(event.missed);
      case 'findings':
        return this.#journal.onFindings(event.findings);
      case 'disproved':
        return this.#journal.onDisproved(event);
      case 'verified':
        return this.#journal.onVerified(event.verification, this.#deps.live()?.book.orderCount ?? 0);
      default:
    }
  }

  /** Checks whether the feed is suspect or stale; to be called a few times a second. */
  look(): void {
    const { isLive, live, now, times, staleReason } = this.#deps;
    const suspicion = isLive() ? suspicionOf({ times: times() }, now()) : undefined;
    if (isLive()) this.#journal.look(troubleOf(suspicion, staleReason()));
    this.#rules.onFeed(suspicion?.reason ?? null, live());
  }

  #onBlock(batch: CoinBatch): void {
    const live = this.#deps.live();
    if (live === undefined) return;
    this.#journal.onBlock(live.position);
    this.#rules.onBlock(batch, live);
  }
}

function troubleOf(suspicion: Suspicion | undefined, staleReason: string | undefined): Trouble | undefined {
  if (staleReason !== undefined) return { kind: 'stale', reason: 'upstream', detail: staleReason };
  return suspicion && { kind: 'suspect', reason: suspicion.reason, detail: suspicion.text };
}

/** Runs the person's rules on the followed book. */
class BookWatch {
  readonly #onHits: (hits: readonly WatchHit[]) => void;
  #coin = '';
  #rules: readonly WatchRule[] = [];
  #watch: RuleWatch | undefined;

  constructor(onHits: (hits: readonly WatchHit[]) => void) {
    this.#onHits = onHits;
  }

  /** Replaces the rules; conditions that already hold do not fire. */
  setRules(rules: readonly WatchRule[], live: BookAt | undefined): void {
    this.#rules = rules;
    this.#begin(live);
  }

  follow(coin: string, live: BookAt | undefined): void {
    this.#coin = coin;
    this.#begin(live);
  }

  onBook({ book, position }: BookAt): void {
    if (this.#watch !== undefined) this.#tell(this.#watch.onBook(book, watchPosition(position)));
  }

  onBlock({ changes }: CoinBatch, { book, position }: BookAt): void {
    if (this.#watch !== undefined) this.#tell(this.#watch.onBlock(changes, book, watchPosition(position)));
  }

  /** Takes the state of the feed, which changes without a block; a few times a second is enough. */
  onFeed(suspicion: string | null, live: BookAt | undefined): void {
    if (this.#watch === undefined || live === undefined) return;
    this.#tell(this.#watch.onFeed(suspicion, watchPosition(live.position)));
  }

  #begin(live: BookAt | undefined): void {
    this.#watch = this.#rules.length === 0 ? undefined : new RuleWatch(this.#coin, this.#rules);
    if (live !== undefined) this.#watch?.onBook(live.book, watchPosition(live.position));
  }

  #tell(hits: readonly WatchHit[]): void {
    if (hits.length > 0) this.#onHits(hits);
  }
}

function watchPosition({ height, blockTime, epoch }: Position): WatchPosition {
  return { height, time: blockTime, epoch };
}
