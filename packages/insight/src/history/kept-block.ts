import type { FlowEvent } from '../flow/flow-event.ts';
import { packEvents, unpackEvents } from './packed-events.ts';
import type { BlockMark, HistoryBlock } from './time-line.ts';

/** A block of a history: its changes are kept as objects until it is packed, and as one string from then on. */
export class KeptBlock implements HistoryBlock {
  readonly mark: BlockMark;
  readonly count: number;
  private ready: readonly FlowEvent[] | undefined;
  private packed = '';

  constructor(mark: BlockMark, events: readonly FlowEvent[]) {
    this.mark = mark;
    this.count = events.length;
    this.ready = events;
  }

  /** Replaces the change objects by a string. */
  pack(): void {
    if (this.ready === undefined) return;
    this.packed = packEvents(this.ready);
    this.ready = undefined;
  }

  events(): readonly FlowEvent[] {
    return this.ready ?? unpackEvents(this.packed);
  }

  mayHave(...values: readonly (number | string)[]): boolean {
    return this.ready !== undefined || values.every((value) => this.packed.includes(JSON.stringify(value)));
  }
}
