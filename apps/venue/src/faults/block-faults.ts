import { corrupt } from './corrupt.ts';
import type { BlockFault } from './fault.ts';
import type { Packet } from './packet.ts';

/** An active block fault. `pass` takes a packet and returns the packets to send instead; it may drop, hold back or add some. */
export interface ActiveFault {
  readonly fault: BlockFault;
  /** Number of blocks it still affects. */
  readonly remaining: number;
  readonly isSpent: boolean;
  pass(packet: Packet): readonly Packet[];
  /** Stops at once and discards what it holds back. */
  stop(): void;
}

export type Schedule = (run: () => void, ms: number) => { cancel(): void };

/** Starts a fault. `release` sends packets that the fault held back. */
export function startFault(fault: BlockFault, schedule: Schedule, release: (packet: Packet) => void): ActiveFault {
  if (fault.kind === 'delay') return new Delay(fault, schedule, release);
  if (fault.kind === 'reorder') return new Reorder(fault);
  return new Change(fault);
}

/** A fault that needs only the block itself. */
class Change implements ActiveFault {
  readonly fault;
  remaining: number;

  constructor(fault: Exclude<BlockFault, { kind: 'delay' | 'reorder' }>) {
    this.fault = fault;
    this.remaining = fault.blocks;
  }

  get isSpent(): boolean {
    return this.remaining === 0;
  }

  pass(packet: Packet): readonly Packet[] {
    const touched = packet.only(this.fault.coin);
    if (touched.isEmpty || this.isSpent) return [packet];
    if (this.fault.kind === 'corrupt') {
      let changed = packet;
      for (const message of touched.messages.values()) {
        const corrupted = corrupt(message, this.fault.mode);
        if (corrupted !== null) changed = changed.with(corrupted);
      }
      // A block with nothing to corrupt does not count.
      if (changed !== packet) this.remaining -= 1;
      return [changed];
    }
    this.remaining -= 1;
    return this.fault.kind === 'duplicate' ? [packet, touched] : [packet.without(this.fault.coin)];
  }

  stop(): void {
    this.remaining = 0;
  }
}

/** Holds a block back and sends it right after the next one, `blocks` times. */
class Reorder implements ActiveFault {
  readonly fault;
  remaining: number;
  #held: Packet | null = null;

  constructor(fault: BlockFault) {
    this.fault = fault;
    this.remaining = fault.blocks;
  }

  get isSpent(): boolean {
    return this.remaining === 0 && this.#held === null;
  }

  pass(packet: Packet): readonly Packet[] {
    const touched = packet.only(this.fault.coin);
    if (touched.isEmpty || this.isSpent) return [packet];
    if (this.#held !== null) {
      const held = this.#held;
      this.#held = null;
      return [packet, held];
    }
    this.remaining -= 1;
    this.#held = touched;
    return [packet.without(this.fault.coin)];
  }

  stop(): void {
    this.remaining = 0;
    this.#held = null;
  }
}

/** Sends blocks late, in order: those after the delayed ones wait behind them. */
class Delay implements ActiveFault {
  readonly fault;
  remaining: number;
  readonly #schedule: Schedule;
  readonly #release: (packet: Packet) => void;
  readonly #waiting: Packet[] = [];
  #timers = new Set<{ cancel(): void }>();

  constructor(fault: Extract<BlockFault, { kind: 'delay' }>, schedule: Schedule, release: (packet: Packet) => void) {
    this.fault = fault;
    this.remaining = fault.blocks;
    this.#schedule = schedule;
    this.#release = release;
  }

  get isSpent(): boolean {
    return this.remaining === 0 && this.#waiting.length === 0;
  }

  pass(packet: Packet): readonly Packet[] {
    const touched = packet.only(this.fault.coin);
    if (touched.isEmpty || this.isSpent) return [packet];
    this.#waiting.push(touched);
    if (this.remaining > 0) {
      this.remaining -= 1;
      const isLast = this.remaining === 0;
      const timer = this.#schedule(() => {
        this.#timers.delete(timer);
        this.#releaseNext(isLast);
      }, this.fault.ms);
      this.#timers.add(timer);
    }
    return [packet.without(this.fault.coin)];
  }

  stop(): void {
    this.remaining = 0;
    this.#waiting.length = 0;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  /** Sends the first waiting block. If it is the last delayed one, also sends everything queued behind it. */
  #releaseNext(isLast: boolean): void {
    const ready = this.#waiting.splice(0, isLast ? this.#waiting.length : 1);
    for (const packet of ready) this.#release(packet);
  }
}
