import { corrupt } from './corrupt.ts';
import type { BlockFault } from './fault.ts';
import type { Packet } from './packet.ts';

export type Schedule = (run: () => void, ms: number) => { cancel(): void };

/** An active block fault. */
export class ActiveFault {
  readonly fault: BlockFault;
  /** Number of blocks it still affects. */
  remaining: number;
  readonly #schedule: Schedule;
  readonly #release: (packet: Packet) => void;
  /** What a `reorder` or a `delay` holds back, oldest first. */
  readonly #held: Packet[] = [];
  readonly #timers = new Set<{ cancel(): void }>();

  /** `release` sends packets that were held back. */
  constructor(fault: BlockFault, schedule: Schedule, release: (packet: Packet) => void) {
    this.fault = fault;
    this.remaining = fault.blocks;
    this.#schedule = schedule;
    this.#release = release;
  }

  get isSpent(): boolean {
    return this.remaining === 0 && this.#held.length === 0;
  }

  /** Returns the packets to send instead of this one. */
  pass(packet: Packet): readonly Packet[] {
    const { fault } = this;
    const touched = packet.only(fault.coin);
    if (touched.isEmpty || this.isSpent) return [packet];
    const others = packet.without(fault.coin);
    switch (fault.kind) {
      case 'drop':
        this.remaining -= 1;
        return [others];
      case 'duplicate':
        this.remaining -= 1;
        return [packet, touched];
      case 'corrupt': {
        let changed = packet;
        for (const message of touched.messages.values()) {
          const corrupted = corrupt(message, fault.mode);
          if (corrupted !== null) changed = changed.with(corrupted);
        }
        // A block with nothing to corrupt does not count.
        if (changed !== packet) this.remaining -= 1;
        return [changed];
      }
      // A block is sent right after the next one.
      case 'reorder': {
        const held = this.#held.pop();
        if (held !== undefined) return [packet, held];
        this.remaining -= 1;
        this.#held.push(touched);
        return [others];
      }
      // Blocks are sent late, in order: those after the delayed ones wait behind them.
      case 'delay':
        this.#held.push(touched);
        if (this.remaining > 0) this.#releaseAfter(fault.ms);
        return [others];
    }
  }

  /** Stops at once and discards what it holds back. */
  stop(): void {
    this.remaining = 0;
    this.#held.length = 0;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  /** Sends the first block that is held back then. If it is the last delayed one, also sends everything behind it. */
  #releaseAfter(ms: number): void {
    this.remaining -= 1;
    const isLast = this.remaining === 0;
    const timer = this.#schedule(() => {
      this.#timers.delete(timer);
      for (const packet of this.#held.splice(0, isLast ? this.#held.length : 1)) this.#release(packet);
    }, ms);
    this.#timers.add(timer);
  }
}
