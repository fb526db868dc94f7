/** One order of the exchange's own book. */
export interface VenueOrder {
  readonly user: string;
  readonly oid: number;
  readonly limitPx: string;
  readonly sz: string;
  readonly timestamp: number;
  readonly tif: string | null;
}

/** The exchange's own book of a coin: each side's orders in queue order, bids first. */
export interface VenueBook {
  readonly coin: string;
  readonly height: number;
  readonly time: number;
  readonly levels: readonly [bids: readonly VenueOrder[], asks: readonly VenueOrder[]];
}

/** Client of the simulated exchange's control port. */
export class VenueControl {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Makes blocks, and resolves when they have been sent. */
  async step(blocks = 1): Promise<void> {
    await this.#post('/step', { blocks });
  }

  /** Blocks by the clock from here on: 1 is the exchange's own pace. */
  async pace(factor: number): Promise<void> {
    await this.#post('/pace', { factor });
  }

  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#post('/fault', fault);
  }

  async book(coin: string): Promise<VenueBook> {
    return (await this.#call(`/book/${encodeURIComponent(coin)}`)) as VenueBook;
  }

  async state(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#call('/state')) as Readonly<Record<string, unknown>>;
  }

  #post(path: string, body: unknown): Promise<unknown> {
    return this.#call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #call(path: string, init?: RequestInit): Promise<unknown> {
    const response = await fetch(new URL(path, this.#url), init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} of the exchange's control port: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
