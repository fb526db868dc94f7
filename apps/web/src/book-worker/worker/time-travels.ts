import type { Call, Hold } from '../messages.ts';
import type { TravelTo } from '../panes/past.ts';
import type { ExportOutcome, OpenOutcome } from '../recorded.ts';
import type { HeldBook } from './held-book.ts';
import type { Past } from './past/past.ts';
import { deflate, inflate } from './recorded/browser-codec.ts';
import { exportPast } from './recorded/export-past.ts';
import { RecordedView } from './recorded/recorded-view.ts';

interface TimeTravelsDeps {
  readonly held: HeldBook;
  readonly past: Past;
  readonly coin: () => string;
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  /** Another book is shown than before. */
  readonly onShown: () => void;
  /** Opening a recording has ended, successfully or not. */
  readonly onOpened: () => void;
}

/** The moment that the page is shown: the live one, a held one, another of the kept minutes, or one of a recording. */
export class TimeTravels {
  readonly #deps: TimeTravelsDeps;
  readonly #recorded: RecordedView;

  constructor(deps: TimeTravelsDeps) {
    this.#deps = deps;
    this.#recorded = new RecordedView({
      past: deps.past,
      coin: deps.coin,
      onMoved: () => this.#showRecorded(),
      later: deps.later,
      inflate,
    });
  }

  /** The shown recording; below, the ticks of its book. */
  get recorded(): RecordedView['shown'] {
    return this.#recorded.shown;
  }

  get ticks(): RecordedView['ticks'] {
    return this.#recorded.ticks;
  }

  /** Another coin is about to be followed: closes the shown recording, but not one that waits for that coin. */
  leaveFor(coin: string): void {
    const shown = this.#recorded.shown;
    if (shown !== undefined && shown.coin !== coin) this.#recorded.close();
  }

  /** The coin is followed now: shows the recording that waited for it. */
  showWaiting(): void {
    this.#recorded.show();
  }

  hold(hold: Hold | undefined): void {
    this.#deps.held.wantHold(hold);
    this.holdIfThere();
  }

  holdIfThere(isNext = false): void {
    if (this.#recorded.shown !== undefined) return;
    if (this.#deps.held.holdIfThere(isNext)) this.#deps.onShown();
  }

  pause(paused: boolean): void {
    // A recording is always held until somebody travels in it or closes it.
    if (this.#recorded.shown !== undefined) return;
    if (paused) this.#deps.held.freeze();
    else this.#toLive();
    this.#deps.onShown();
  }

  travel(to: TravelTo): void {
    if (this.#recorded.shown !== undefined) return void this.#recorded.travel(to);
    const { held, past, onShown } = this.#deps;
    const shown = held.shown();
    if (shown === undefined) return;
    const there = past.travel(to, shown);
    if (there === undefined) this.#toLive();
    else held.show(there);
    onShown();
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
    const { past, held, onShown } = this.#deps;
    const { moment } = this.#recorded;
    const place = moment && past.placeOf(moment);
    if (place !== undefined) held.show(past.bookAt(place));
    onShown();
  }

  #toLive(): void {
    this.#deps.held.release();
    this.#deps.past.release();
  }
}
