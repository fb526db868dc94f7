import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/live.ts';
import type { FrameAsk } from '../../../book-worker/messages.ts';

/** What a question says of the pane; its number and how new the response has to be are added when it is asked. */
export type FrameQuestion = Omit<FrameAsk, 'serial' | 'after'>;

/** The pane's questions for frames: one is under way at a time, and only the response to the last one counts (WEB-5). */
export class FrameQuestions {
  readonly #live: LadderFeed;
  #serial = 0;
  /** What the question under way is about: `now` has a response at once, `next` when something changes. */
  #asked: 'no' | 'now' | 'next' = 'no';
  #askedHeld = false;
  /** The question changed since it was asked. */
  #changed = true;
  #spare: ArrayBuffer | undefined;

  constructor(live: LadderFeed) {
    this.#live = live;
  }

  /** The question is another one than when it was asked. */
  get isChanged(): boolean {
    return this.#changed;
  }

  change(): void {
    this.#changed = true;
  }

  /** Asks, unless a response is on its way or there is nothing to ask anew. `version` is that of the last frame. */
  ask(question: FrameQuestion, version: number): void {
    if (this.#asked === 'now' || (this.#asked === 'next' && !this.#changed)) return;
    this.#serial += 1;
    const after = this.#changed ? 0 : version;
    this.#asked = after === 0 ? 'now' : 'next';
    this.#askedHeld = question.held;
    this.#live.ask({ ...question, serial: this.#serial, after }, this.#spare);
    this.#spare = undefined;
    this.#changed = false;
  }

  /** Whether a frame is the response to the question under way; another one goes back with the next question. */
  isResponse(frame: LadderFrame, generation: number): boolean {
    const isIt = frame.generation === generation && frame.serial === this.#serial;
    if (isIt) this.#asked = 'no';
    else this.giveBack(frame);
    return isIt;
  }

  /** Whether the response was counted while nothing held the rows. */
  get wasFree(): boolean {
    return !this.#askedHeld;
  }

  /** A frame's buffer is not needed any more. */
  giveBack({ buffer }: LadderFrame): void {
    this.#spare = buffer;
  }

  /** The question under way belongs to another coin. */
  forget(): void {
    this.#asked = 'no';
  }

  /** Nobody looks: a response that is already on its way belongs to the past. */
  rest(): void {
    this.#asked = 'no';
    this.#live.rest();
    this.#serial += 1;
  }
}
