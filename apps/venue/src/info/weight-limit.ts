const WINDOW_MS = 60_000;

/** Number of response items that weigh 1. */
const ITEMS_PER_WEIGHT = 20;

interface Spending {
  readonly spent: { readonly at: number; readonly weight: number }[];
  total: number;
}

/** The exchange's rate limit: weight per address over the last 60 seconds. A limit of 0 allows everything. */
export class WeightLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #spendings = new Map<string, Spending>();

  /** `now` returns ms of a monotonic clock. */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Spends the weight. Returns false, and spends nothing, if it exceeds the limit. */
  take(address: string, weight: number): boolean {
    if (this.#perMinute === 0) return true;
    const spending = this.#spendingOf(address);
    if (spending.total + weight > this.#perMinute) return false;
    this.#spend(spending, weight);
    return true;
  }

  /** Adds the weight of a response's items, which is only known once the response exists. */
  addItems(address: string, items: number): void {
    const weight = Math.floor(items / ITEMS_PER_WEIGHT);
    if (this.#perMinute > 0 && weight > 0) this.#spend(this.#spendingOf(address), weight);
  }

  #spend(spending: Spending, weight: number): void {
    spending.spent.push({ at: this.#now(), weight });
    spending.total += weight;
  }

  #spendingOf(address: string): Spending {
    const spending = this.#spendings.get(address) ?? { spent: [], total: 0 };
    this.#spendings.set(address, spending);
    const begin = this.#now() - WINDOW_MS;
    let [oldest] = spending.spent;
    while (oldest !== undefined && oldest.at <= begin) {
      spending.spent.shift();
      spending.total -= oldest.weight;
      [oldest] = spending.spent;
    }
    return spending;
  }
}
