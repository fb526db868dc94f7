import type { BlockSource, SourceBlock } from './source.ts';

/** Maximum time spent making blocks before the sockets get a turn, in ms. */
const SLICE_MS = 8;

/** A longer backlog is not caught up: after a stall the market continues from where it is. In ms. */
export const BACKLOG_MS = 1_000;

/** While stepping, blocks wait for clients with more unsent bytes than this … */
const UNSENT_HIGH = 8_388_608;

/** … but no longer than this, in ms: a client that never reads is disconnected. */
const DRAIN_MS = 30_000;

const POLL_MS = 2;

/** `POST /step` was called while the market runs on its own. */
export class MarketRunsError extends Error {
  readonly code = 'market_runs';

  constructor(factor: number) {
    super(`the market runs at pace ${factor}; pause it first with POST /pace {"factor":0}`);
    this.name = 'MarketRunsError';
  }
}

/** The clients that requested blocks wait for. */
export interface PacedClients {
  /** Unsent bytes of the slowest client. */
  readonly unsentBytes: number;
  /** Messages queued for the slowest client; 0 if nothing is queued. */
  readonly queuedMessages: number;
  /** Disconnects clients with more unsent bytes than `bytes`. */
  dropLaggards(bytes: number): void;
}

/** Makes blocks: at a multiple of the source's own pace, or a requested number. */
export class Pacer {
  readonly #source: BlockSource;
  readonly #clients: PacedClients;
  readonly #publish: (block: SourceBlock) => void;
  #factor = 0;
  #timer: NodeJS.Timeout | null = null;
  #immediate: NodeJS.Immediate | null = null;
  /** When the next block is due, on the monotonic clock, in ms. */
  #due = 0;
  #stepping: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(source: BlockSource, clients: PacedClients, publish: (block: SourceBlock) => void) {
    this.#source = source;
    this.#clients = clients;
    this.#publish = publish;
  }

  /** 1 is real time, 0 is stopped. */
  get factor(): number {
    return this.#factor;
  }

  setFactor(factor: number): void {
    this.#rest();
    this.#factor = factor;
    if (factor > 0) {
      this.#due = performance.now() + this.#wait();
      this.#arm();
    }
  }

  /**
   * Makes `blocks` blocks, or as many as the source has. Resolves to the height once they are handed to the sockets; slow
   * clients delay this for a while. Rejects with MarketRunsError unless the pace is 0.
   */
  async step(blocks: number): Promise<number> {
    const mine = this.#stepping.then(() => this.#makeBlocks(blocks));
    this.#stepping = mine.catch(() => undefined);
    return mine;
  }

  stop(): void {
    this.#stopped = true;
    this.#rest();
  }

  async #makeBlocks(blocks: number): Promise<number> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (let made = 0; made < blocks && !this.#stopped; made += 1) {
      if (this.#factor > 0) throw new MarketRunsError(this.#factor);
      const block = this.#source.advance();
      if (block === null) break;
      this.#publish(block);
      if (performance.now() < sliceEnd && this.#clients.queuedMessages === 0) continue;
      await nextTurn();
      await this.#drained();
      sliceEnd = performance.now() + SLICE_MS;
    }
    return this.#source.height;
  }

  async #drained(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS;
    while (this.#isBehind && performance.now() < deadline && !this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#clients.dropLaggards(UNSENT_HIGH);
  }

  get #isBehind(): boolean {
    return this.#clients.unsentBytes > UNSENT_HIGH || this.#clients.queuedMessages > 0;
  }

  /** Time until the next block at the current pace, in ms. */
  #wait(): number {
    return (this.#source.nextDelay ?? 0) / this.#factor;
  }

  #arm(): void {
    if (this.#stopped || this.#source.nextDelay === null) return;
    const wait = this.#due - performance.now();
    if (wait > 1) this.#timer = setTimeout(() => this.#run(), wait);
    else this.#immediate = setImmediate(() => this.#run());
  }

  #run(): void {
    const start = performance.now();
    if (start - this.#due > BACKLOG_MS) this.#due = start;
    while (this.#due <= performance.now() && performance.now() - start < SLICE_MS) {
      const block = this.#source.advance(this.#factor === 1);
      if (block === null) return;
      this.#publish(block);
      this.#due += this.#wait();
    }
    this.#arm();
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#timer = null;
    this.#immediate = null;
  }
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
