import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/ladder-feed.ts';
import type { FrameAsk } from '../../../book-worker/messages.ts';

/** The pane's part of a frame request; the serial and the minimum version are added when it is sent. */
export type FrameRequest = Omit<FrameAsk, 'serial' | 'after'>;

/** The pane's frame requests: one is in flight at a time, and only the response to the last one counts. */
export class FrameRequests {
  readonly #live: LadderFeed;
  #serial = 0;
  /** The pending request: `now` has a response at once, `next` when something changes. */
  #asked: 'no' | 'now' | 'next' = 'no';
  #askedHeld = false;
  /** The request changed since it was sent. */
  #changed = true;
  #spare: ArrayBuffer | undefined;

  constructor(live: LadderFeed) {
    this.#live = live;
  }

  /** Whether the request changed since it was sent. */
  get isChanged(): boolean {
    return this.#changed;
  }

  change(): void {
    this.#changed = true;
  }

  /** Sends a request, unless a response is pending or nothing changed. `version` is that of the last frame. */
  ask(request: FrameRequest, version: number): void {
    if (this.#asked === 'now' || (this.#asked === 'next' && !this.#changed)) return;
    this.#serial += 1;
    const after = this.#changed ? 0 : version;
    this.#asked = after === 0 ? 'now' : 'next';
    this.#askedHeld = request.held;
    this.#live.ask({ ...request, serial: this.#serial, after }, this.#spare);
    this.#spare = undefined;
    this.#changed = false;
  }

  /** Whether a frame is the response to the pending request; the buffer of any other frame goes back with the next request. */
  isResponse(frame: LadderFrame, generation: number): boolean {
    const isIt = frame.generation === generation && frame.serial === this.#serial;
    if (isIt) this.#asked = 'no';
    else this.giveBack(frame);
    return isIt;
  }

  /** Whether the response was computed while nothing held the rows. */
  get wasFree(): boolean {
    return !this.#askedHeld;
  }

  /** Hands a frame's buffer back for reuse. */
  giveBack({ buffer }: LadderFrame): void {
    this.#spare = buffer;
  }

  /** The pending request belongs to another coin. */
  forget(): void {
    this.#asked = 'no';
  }

  /** The page is hidden: a response that is still in flight will be ignored. */
  rest(): void {
    this.#asked = 'no';
    this.#live.rest();
    this.#serial += 1;
  }
}
