import type { LevelRef } from '../position.ts';
import type { QueueOrder } from './level.ts';

/** One order of a row's lane: the order at this place when the request arrives, even if its place changes later. */
export interface LaneAsk {
  readonly serial: number;
  readonly level: LevelRef;
  readonly place: number;
}

export interface LaneResponse {
  readonly serial: number;
  readonly level: LevelRef;
  /** Number of orders in the row. */
  readonly count: number;
  /** Null once it has left the row, and if no order had that place. */
  readonly order: QueueOrder | null;
}
