import type { L4Book } from '@l4desk/book';
import type { CoinState, FollowEvent, Verification } from '@l4desk/client';
import { missedBetween } from '@l4desk/insight';
import type { JournalEntry } from '../journal.ts';
import type { Position } from '../position.ts';
import type { BookAt } from './book-at.ts';
import { RECORDING_SHOWN } from './recorded/resting-view.ts';

/** Distance from the mid within which an outage is reported order by order, in basis points. */
const MISSED_BPS = '25';

type Noted = JournalEntry extends infer Entry
  ? Entry extends JournalEntry
    ? Omit<Entry, 'at' | 'coin'>
    : never
  : never;

export type Trouble = Extract<Noted, { kind: 'suspect' | 'stale' }>;

export interface JournalDeps {
  readonly now: () => number;
  readonly note: (entry: JournalEntry) => void;
  /** The live book in any state; undefined before the first. */
  readonly live: () => BookAt | undefined;
  readonly gaps: () => number;
}

/** How many stretches of blocks were not seen, and when and why the last one ended; undefined if there was none. */
export interface Unseen {
  readonly count: number;
  readonly last: { readonly at: number; readonly detail: string } | undefined;
}

/** Why a book is built again although every block came, unless its follower counted a gap. */
const SEEN: ReadonlySet<string> = new Set(['audit', 'finding']);

export class BookJournal {
  readonly #deps: JournalDeps;
  readonly #coin: string;
  #book: L4Book | undefined;
  #position: Position | undefined;
  #loss: { readonly reason: string | null; readonly detail: string } | undefined;
  #unseen: Unseen = { count: 0, last: undefined };
  /** The gaps that the follower had counted at the last book. */
  #gaps = 0;
  /** Why the book is not current, and since when it has not been. */
  #trouble: { readonly kind: Trouble['kind']; readonly since: number } | undefined;

  constructor(deps: JournalDeps, coin: string) {
    this.#deps = deps;
    this.#coin = coin;
  }

  get unseen(): Unseen {
    return this.#unseen;
  }

  onEvent(event: FollowEvent): void {
    const live = this.#deps.live();
    switch (event.kind) {
      case 'block':
        this.#position = live?.position ?? this.#position;
        return;
      case 'book':
        if (live !== undefined) this.#onBook(live);
        return;
      case 'state':
        return this.#onState(event.state, event.previous);
      case 'resumed':
        // The book continues after a disconnect; the missed blocks come next.
        this.#loss = undefined;
        return this.#note({ kind: 'resumed', height: this.#position?.height ?? 0, blocks: event.missed });
      case 'findings':
        return this.#note({ kind: 'finding', findings: event.findings.map(({ kind }) => kind) });
      case 'disproved': {
        const { height, expected, actual } = event;
        return this.#note({ kind: 'disproved', height, expected, actual });
      }
      case 'verified':
        return this.#onVerified(event.verification, live?.book.orderCount ?? 0);
      default:
    }
  }

  #onState(state: CoinState, previous: CoinState): void {
    if (previous.kind === 'live' && state.kind !== 'live') this.#loss = state;
    else if (this.#loss !== undefined && state.reason !== null && state.kind !== 'live') this.#loss = state;
    if (previous.kind === 'live' && state.kind === 'stale')
      this.#noteTrouble({ kind: 'stale', reason: state.reason ?? 'unknown', detail: state.detail });
  }

  /** The live book is not followed while a recording is shown. */
  rest(): void {
    this.#loss = { reason: 'recording', detail: RECORDING_SHOWN };
    this.#trouble = undefined;
  }

  #onBook({ book, position }: BookAt): void {
    const gaps = this.#deps.gaps();
    const before = this.#book;
    const last = this.#position;
    this.#book = book;
    this.#position = position;
    const counted = this.#gaps;
    this.#gaps = gaps;
    const { height, epoch } = position;
    if (before === undefined || last === undefined) return this.#note({ kind: 'built', height, epoch });
    const { reason = null, detail = '' } = this.#loss ?? {};
    const isSeen = position.seq === last.seq || (SEEN.has(reason ?? '') && gaps <= counted);
    if (epoch !== last.epoch || !isSeen)
      this.#unseen = { count: this.#unseen.count + 1, last: { at: this.#deps.now(), detail } };
    this.#note({
      kind: 'rebuilt',
      height,
      epoch,
      isNewEpoch: last.epoch !== epoch,
      blocks: height - last.height,
      unseenMs: position.blockTime - last.blockTime,
      reason: reason ?? 'unknown',
      detail,
      missed: missedBetween(before, book, MISSED_BPS),
    });
    this.#loss = undefined;
  }

  /** `orders` is the number of orders in the book when it was compared. */
  #onVerified(verification: Verification, orders: number): void {
    switch (verification.kind) {
      case 'equal':
        return this.#note({ kind: 'verified', outcome: 'equal', height: verification.height, orders, detail: '' });
      case 'different': {
        const { height, detail } = verification;
        return this.#note({ kind: 'verified', outcome: 'different', height, orders: null, detail });
      }
      case 'abandoned': {
        const { detail } = verification.state;
        return this.#note({ kind: 'verified', outcome: 'failed', height: null, orders: null, detail });
      }
    }
  }

  /** Notes the moments at which a live book becomes suspect or stale, and at which it is current again. */
  look(trouble: Trouble | undefined): void {
    if (trouble !== undefined) return this.#noteTrouble(trouble);
    if (this.#trouble === undefined) return;
    this.#note({ kind: 'recovered', afterMs: this.#deps.now() - this.#trouble.since });
    this.#trouble = undefined;
  }

  /** Once, and once more if a suspect book becomes stale. */
  #noteTrouble(trouble: Trouble): void {
    const last = this.#trouble;
    if (last !== undefined && (last.kind === trouble.kind || trouble.kind === 'suspect')) return;
    this.#trouble = { kind: trouble.kind, since: last?.since ?? this.#deps.now() };
    this.#note(trouble);
  }

  #note(entry: Noted): void {
    this.#deps.note({ ...entry, at: this.#deps.now(), coin: this.#coin });
  }
}
