import { ActiveFault, type Schedule } from './block-faults.ts';
import type { BlockFault } from './fault.ts';
import type { Packet } from './packet.ts';

/** A fault as `GET /state` shows it. */
export interface FaultState {
  readonly fault: BlockFault;
  readonly remaining: number;
}

/** All active faults. Every block passes through them, in the order of the requests, on its way to the clients. */
export class FaultPlan {
  readonly #schedule: Schedule;
  #active: ActiveFault[] = [];
  #refusing: { cancel(): void } | null = null;
  #silent: { readonly timer: { cancel(): void }; readonly onEnd: () => void } | null = null;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  get refusesConnections(): boolean {
    return this.#refusing !== null;
  }

  get isSilent(): boolean {
    return this.#silent !== null;
  }

  get states(): readonly FaultState[] {
    return this.#active.map(({ fault, remaining }) => ({ fault, remaining }));
  }

  /** Adds a block fault. `release` sends packets that the fault held back. */
  add(fault: BlockFault, release: (packet: Packet) => void): void {
    this.#active.push(new ActiveFault(fault, this.#schedule, release));
  }

  /** Applies the block faults to a packet and returns the packets to send. */
  pass(packet: Packet): readonly Packet[] {
    let packets: readonly Packet[] = [packet];
    for (const fault of this.#active) packets = packets.flatMap((each) => fault.pass(each));
    this.#active = this.#active.filter((fault) => !fault.isSpent);
    return packets.filter((each) => !each.isEmpty);
  }

  /** Refuses new connections for `ms` from now. */
  refuse(ms: number): void {
    this.#refusing?.cancel();
    this.#refusing = this.#schedule(() => {
      this.#refusing = null;
    }, ms);
  }

  /** Sends nothing for `ms` from now, then calls `onEnd`. */
  silence(ms: number, onEnd: () => void): void {
    this.#silent?.timer.cancel();
    this.#silent = { timer: this.#schedule(() => this.#endSilence(), ms), onEnd };
  }

  /** Ends all faults at once and discards what they hold back. */
  clear(): void {
    for (const fault of this.#active) fault.stop();
    this.#active = [];
    this.#refusing?.cancel();
    this.#refusing = null;
    this.#silent?.timer.cancel();
    this.#endSilence();
  }

  #endSilence(): void {
    const silence = this.#silent;
    this.#silent = null;
    silence?.onEnd();
  }
}
