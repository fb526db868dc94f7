import type { BlockSource, SourceBlock } from './source.ts';

/** Longest stretch of blocks made without letting the sockets have their turn, in ms. */
const SLICE_MS = 8;

/** A backlog older than this is not made up for: after a stall the market continues from where it is. */
const BACKLOG_MS = 1_000;

/** While stepping, blocks wait for clients with more unsent bytes than this … */
const UNSENT_HIGH = 8_388_608;

/** … but not longer than this, in ms: a client that never reads is dropped. */
const DRAIN_MS = 30_000;

const POLL_MS = 2;

/** `POST /step` was called while the market runs by itself. */
export class MarketRunsError extends Error {
  readonly code = 'market_runs';

  constructor(factor: number) {
    super(`the market runs at pace ${factor}; pause it first with POST /pace {"factor":0}`);
    this.name = 'MarketRunsError';
  }
}

export interface PacerOutput {
  publish(block: SourceBlock): void;
  /** Bytes the slowest client has not taken. */
  readonly unsentBytes: number;
  /** Messages that wait for their turn at the slowest client; 0 where none has to. */
  readonly queuedMessages: number;
  /** Drops the clients with more unsent bytes than `bytes`. */
  dropLaggards(bytes: number): void;
}

/** Makes blocks in time: at a multiple of their own pace, or as many as are asked for. */
export class Pacer {
  readonly #source: BlockSource;
  readonly #output: PacerOutput;
  #factor = 0;
  #timer: NodeJS.Timeout | null = null;
  #immediate: NodeJS.Immediate | null = null;
  /** When the next block is due, on the monotonic clock. */
  #due = 0;
  #stepping: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(source: BlockSource, output: PacerOutput) {
    this.#source = source;
    this.#output = output;
  }

  /** 1 is real time, 0 stands still. */
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
   * Makes `blocks` blocks, or as many as there are, and resolves to the height once they are handed to the sockets. Slow clients
   * hold it up for a while. Throws MarketRunsError unless the pace is 0.
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
      this.#output.publish(block);
      if (performance.now() < sliceEnd && this.#output.queuedMessages === 0) continue;
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
    this.#output.dropLaggards(UNSENT_HIGH);
  }

  get #isBehind(): boolean {
    return this.#output.unsentBytes > UNSENT_HIGH || this.#output.queuedMessages > 0;
  }

  /** ms until the next block, at the pace. */
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
      const block = this.#source.advance();
      if (block === null) return;
      this.#output.publish(block);
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
