/** One order of the exchange's own book. */
export interface VenueOrder {
  readonly user: string;
  readonly oid: number;
  readonly limitPx: string;
  readonly sz: string;
  readonly timestamp: number;
  readonly tif: string | null;
}

/** The exchange's own book of a coin: the orders of each side in queue order, bids first. */
export interface VenueBook {
  readonly coin: string;
  readonly height: number;
  readonly time: number;
  readonly levels: readonly [bids: readonly VenueOrder[], asks: readonly VenueOrder[]];
}

interface BlockScope {
  /** Defaults to all coins. */
  readonly coin?: string;
  readonly blocks?: number;
}

/** The body of the control port's `/fault`. Times are in ms. */
export type VenueFault =
  | ({ readonly kind: 'drop' | 'duplicate' | 'reorder' } & BlockScope)
  | ({ readonly kind: 'delay'; readonly ms: number } & BlockScope)
  | ({ readonly kind: 'corrupt'; readonly mode: 'oid' | 'origSz' | 'crossed' | 'json' | 'fields' } & BlockScope)
  | { readonly kind: 'refuse' | 'silent' | 'restart'; readonly ms: number }
  | InfoFault
  | NodeFault
  | { readonly kind: 'cut' | 'clear' };

/** A fault of the exchange's info API: for queries of one type, about one wallet, or for all; `count` times or until cleared. */
interface InfoFault {
  readonly kind: 'info';
  readonly effect: 'slow' | 'status' | 'invalid-json' | 'disconnect' | 'error' | 'rate-limit';
  readonly type?: string;
  readonly user?: string;
  readonly ms?: number;
  readonly status?: number;
  readonly message?: string;
  readonly count?: number;
}

/** A fault of a node's files, with `VENUE_NODE_DIR`. */
interface NodeFault {
  readonly kind: 'node';
  readonly effect: 'skip' | 'cut' | 'break' | 'late' | 'rotate' | 'truncate' | 'vanish' | 'stall';
  readonly stream?: 'diffs' | 'statuses' | 'fills';
  readonly blocks?: number;
  readonly ms?: number;
}

/** A wallet that the exchange simulates, and what it has. */
export interface VenueWallet {
  readonly address: `0x${string}`;
  readonly name: string;
  readonly role: string;
  /** Resting orders on perps of the canonical dex. */
  readonly openOrders: number;
  readonly spotOrders: number;
  /** Number of entries in its order history. */
  readonly history: number;
}

/** The response of the control port's `/state`, as far as tests read it. */
export interface VenueState {
  readonly height: number;
  readonly pace: number;
  readonly clients: number;
  readonly subscriptions: Readonly<Record<string, number>>;
  /** Block faults still active. */
  readonly faults: readonly { readonly remaining: number }[];
  readonly silent: boolean;
  readonly refusing: boolean;
  readonly counts: {
    /** Clients that were dropped because they fell behind. */
    readonly laggardsDropped: number;
    readonly snapshots: number;
  };
}

/** Client of the simulated exchange's control port. */
export class VenueControl {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Makes blocks. Resolves with the last one's height once they are being sent. */
  async step(blocks = 1): Promise<number> {
    const { height } = (await this.#post('/step', { blocks })) as { readonly height: number };
    return height;
  }

  /** Makes blocks by the clock from here on. 1 is the exchange's own pace. */
  async pace(factor: number): Promise<void> {
    await this.#post('/pace', { factor });
  }

  /** Sets how busy the market is, as a multiple of its usual rate. */
  async rate(rate: number): Promise<void> {
    await this.#post('/levels', { rate });
  }

  async fault(fault: VenueFault): Promise<void> {
    await this.#post('/fault', fault);
  }

  async book(coin: string): Promise<VenueBook> {
    return (await this.#call(`/book/${encodeURIComponent(coin)}`)) as VenueBook;
  }

  async wallets(): Promise<readonly VenueWallet[]> {
    return (await this.#call('/wallets')) as readonly VenueWallet[];
  }

  async state(): Promise<VenueState> {
    return (await this.#call('/state')) as VenueState;
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
