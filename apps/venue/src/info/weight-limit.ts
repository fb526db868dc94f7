const WINDOW_MS = 60_000;

/** Items of an answer that weigh one. */
const ITEMS_PER_WEIGHT = 20;

interface Window {
  readonly spent: { readonly at: number; readonly weight: number }[];
  total: number;
}

/** The exchange's limit: weight per minute and address, over the last 60 seconds. A limit of 0 lets everything through. */
export class WeightLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  /** `now` gives ms of a clock that never goes back. */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Takes the weight, or takes nothing and says no. */
  take(address: string, weight: number): boolean {
    if (this.#perMinute === 0) return true;
    const window = this.#windowOf(address);
    if (window.total + weight > this.#perMinute) return false;
    this.#spend(window, weight);
    return true;
  }

  /** Adds what an answer weighs by its items; it is known only once the answer is there. */
  addItems(address: string, items: number): void {
    const weight = Math.floor(items / ITEMS_PER_WEIGHT);
    if (this.#perMinute > 0 && weight > 0) this.#spend(this.#windowOf(address), weight);
  }

  #spend(window: Window, weight: number): void {
    window.spent.push({ at: this.#now(), weight });
    window.total += weight;
  }

  #windowOf(address: string): Window {
    const window = this.#windows.get(address) ?? { spent: [], total: 0 };
    this.#windows.set(address, window);
    const begin = this.#now() - WINDOW_MS;
    let [oldest] = window.spent;
    while (oldest !== undefined && oldest.at <= begin) {
      window.spent.shift();
      window.total -= oldest.weight;
      [oldest] = window.spent;
    }
    return window;
  }
}
