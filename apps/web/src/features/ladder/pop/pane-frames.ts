import { readFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/live.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** A row is asked for, for a frame has one; nobody sees it. */
const NO_ROWS = {
  tick: null,
  axis: null,
  slots: 1,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 0,
  notional: 'none',
  flow: false,
} as const;

/**
 * Asks for frames where no ladder does, for what the panes show of them.
 *
 * Loop "frame": a frame asks for the next one with the next picture, which comes when the book has changed; a hidden window
 * asks for none.
 */
export class PaneFrames {
  readonly #feed: LadderFeed;
  readonly #ending = new AbortController();
  #serial = 0;
  #request = 0;

  constructor(feed: LadderFeed) {
    this.#feed = feed;
    feed.onFrame((buffer, panes) => this.#receive(buffer, panes));
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal: this.#ending.signal });
    this.#askSoon();
  }

  close(): void {
    this.#ending.abort();
    cancelAnimationFrame(this.#request);
    this.#feed.onFrame(() => {});
    this.#feed.showPanes(undefined);
    this.#feed.rest();
  }

  /** Not at once: the worker may not have been started yet. */
  #askSoon(): void {
    this.#request = requestAnimationFrame(() => this.#ask(0));
  }

  #ask(after: number, spare?: ArrayBuffer): void {
    this.#serial += 1;
    this.#feed.ask({ ...NO_ROWS, serial: this.#serial, generation: this.#feed.generation, after }, spare);
  }

  #receive(buffer: ArrayBuffer, panes: PanesFrame | undefined): void {
    const { serial, generation, version } = readFrame(buffer);
    if (serial !== this.#serial || generation !== this.#feed.generation) return;
    this.#request = requestAnimationFrame(() => {
      this.#feed.showPanes(panes);
      this.#ask(version, buffer);
    });
  }

  #onVisibility(): void {
    cancelAnimationFrame(this.#request);
    if (document.hidden) {
      this.#feed.rest();
      // A response that is already on its way belongs to the past.
      this.#serial += 1;
    } else {
      this.#askSoon();
    }
  }
}
