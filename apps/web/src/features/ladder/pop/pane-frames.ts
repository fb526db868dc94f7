import { readFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/ladder-feed.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** One row is requested, because a frame has at least one; it is not shown. */
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
 * Requests frames for the panes' content when there is no ladder to do it.
 *
 * Loop "frame": after a frame, the next one is requested with the next animation frame, and arrives when the book has changed; a
 * hidden window requests none.
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

  /** Deferred, because the worker may not have been started yet. */
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
      // A response that is still in flight will be ignored.
      this.#serial += 1;
    } else {
      this.#askSoon();
    }
  }
}
