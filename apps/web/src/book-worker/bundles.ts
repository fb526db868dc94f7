/**
 * Hands on what happens in bundles: the first item at once, and what follows within `withinMs` together when that time is over.
 *
 * Loop "bundle": a bundle starts the timer of the next one, and a timer that finds nothing ends it.
 */
export class Bundles<T> {
  readonly #tell: (items: readonly T[]) => void;
  readonly #withinMs: number;
  readonly #now: () => number;
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;

  constructor(tell: (items: readonly T[]) => void, withinMs: number, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#withinMs = withinMs;
    this.#now = now;
  }

  add(items: readonly T[]): void {
    this.#waiting.push(...items);
    // A browser delays the timers of a hidden page by up to a minute: then the next item is told in their place.
    if (this.#timer === undefined || this.#now() >= this.#dueAt) this.#end();
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = this.#waiting;
    this.#waiting = [];
    if (items.length === 0) return;
    this.#dueAt = this.#now() + this.#withinMs;
    this.#timer = setTimeout(() => this.#end(), this.#withinMs);
    this.#tell(items);
  }
}
