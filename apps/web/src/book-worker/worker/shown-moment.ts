import type { Call, Hold, LiveStatus } from '../messages.ts';
import type { TravelTo } from '../panes/past.ts';
import type { ExportOutcome, OpenOutcome } from '../recorded.ts';
import type { BookAt, ShownBook } from './book-at.ts';
import { deflate } from './recorded/browser-codec.ts';
import { exportPast } from './recorded/export-past.ts';
import { RecordedView, type RecordedViewDeps } from './recorded/recorded-view.ts';

/** A book that does not change: a copy of the live one at its block, or one of the past. */
interface Frozen extends BookAt {
  readonly at: number;
  readonly asked?: number | undefined;
}

interface ShownMomentDeps extends Omit<RecordedViewDeps, 'onMoved'> {
  readonly live: () => BookAt | undefined;
  readonly now: () => number;
  readonly onShown: () => void;
  /** Opening a recording has ended, successfully or not. */
  readonly onOpened: () => void;
}

/** The moment that the page is shown: the live one, a held one, another of the kept minutes, or one of a recording. */
export class ShownMoment {
  readonly #deps: ShownMomentDeps;
  readonly #recorded: RecordedView;
  #frozen: Frozen | undefined;
  #hold: Hold | undefined;

  constructor(deps: ShownMomentDeps) {
    this.#deps = deps;
    this.#recorded = new RecordedView({ ...deps, onMoved: () => this.#showRecorded() });
  }

  get recorded(): RecordedView['shown'] {
    return this.#recorded.shown;
  }

  get ticks(): RecordedView['ticks'] {
    return this.#recorded.ticks;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  shown(): ShownBook | undefined {
    if (this.#frozen !== undefined) return { ...this.#frozen, frozen: true };
    const live = this.#deps.live();
    return live && { ...live, frozen: false };
  }

  frozenAt(): LiveStatus['frozen'] {
    const frozen = this.#frozen;
    return frozen && { ...frozen.position, at: frozen.at, asked: frozen.asked };
  }

  /** The block of this coin at which the book will be held. */
  holdAt(coin: string): number | undefined {
    return this.#hold?.coin === coin ? this.#hold.height : undefined;
  }

  /** Another coin is about to be followed: closes the shown recording, but not one that waits for that coin. */
  leave(): void {
    if (this.recorded !== undefined) this.#recorded.close();
    this.#frozen = undefined;
  }

  showWaiting(): void {
    this.#recorded.show();
  }

  hold(hold: Hold | undefined): void {
    this.#hold = hold;
    this.holdIfThere();
  }

  /**
   * Holds the book if the awaited block is reached. If that block was skipped, only the stream's next block (`isNext`) may stand in
   * for it: then the awaited one changed nothing.
   */
  holdIfThere(isNext = false): void {
    const hold = this.#hold;
    const live = this.#deps.live();
    if (this.recorded !== undefined || hold === undefined || hold.coin !== live?.book.coin) return;
    const { height } = live.position;
    if (height < hold.height) return;
    this.#hold = undefined;
    if (!isNext && height !== hold.height) return;
    this.#freeze(hold.height);
    this.#deps.onShown();
  }

  pause(paused: boolean): void {
    // A recording is always held until somebody travels in it or closes it.
    if (this.recorded !== undefined) return;
    if (paused) this.#freeze();
    else this.#toLive();
    this.#deps.onShown();
  }

  travel(to: TravelTo): void {
    if (this.recorded !== undefined) return void this.#recorded.travel(to);
    const shown = this.shown();
    if (shown === undefined) return;
    const there = this.#deps.past.travel(to, shown);
    if (there === undefined) this.#toLive();
    else this.#show(there);
    this.#deps.onShown();
  }

  /** Does what takes time: opens a recording, searches it, or exports the kept minutes. */
  async call(call: Exclude<Call, { readonly name: 'find' }>): Promise<OpenOutcome | boolean | ExportOutcome> {
    switch (call.name) {
      case 'openRecording': {
        const outcome = await this.#recorded.open(call.given.file, call.given.name);
        this.#deps.onOpened();
        return outcome;
      }
      case 'seek':
        return this.#recorded.seek(call.given);
      case 'exportPast':
        return this.#exportPast(call.given);
    }
  }

  closeRecording(): void {
    this.#recorded.close();
    this.#toLive();
  }

  async #exportPast(source: string): Promise<ExportOutcome> {
    const { past, now } = this.#deps;
    try {
      return await exportPast({ line: past.kept, source, now: now(), deflate });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { kind: 'refused', problem: `The kept minutes cannot be saved: ${problem}.` };
    }
  }

  #showRecorded(): void {
    const { past, onShown } = this.#deps;
    const { moment } = this.#recorded;
    const place = moment && past.placeOf(moment);
    if (place !== undefined) this.#show(past.bookAt(place));
    onShown();
  }

  #freeze(asked?: number): void {
    const live = this.#deps.live();
    const at = this.#deps.now();
    this.#frozen = live && { book: live.book.copy(), position: live.position, at, asked };
  }

  #show(there: BookAt): void {
    this.#frozen = { ...there, at: this.#deps.now() };
  }

  /** Also drops the copy that was used for time travel. */
  #toLive(): void {
    this.#frozen = undefined;
    this.#deps.past.release();
  }
}
