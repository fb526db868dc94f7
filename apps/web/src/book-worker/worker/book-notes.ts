import type { CoinBatch, FollowEvent } from '@l4desk/client';
import { type Suspicion, suspicionOf } from '../clocks.ts';
import type { FeedTimes } from '../feed-times.ts';
import type { FromWorker } from '../messages.ts';
import type { WatchRule } from '../watch.ts';
import { BookJournal, type Trouble, type Unseen } from './book-journal.ts';
import { type BookNow, BookWatch } from './book-watch.ts';

interface NotesDeps {
  readonly now: () => number;
  readonly post: (message: FromWorker) => void;
  /** The live book in any state; undefined before the first. */
  readonly live: () => BookNow | undefined;
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
