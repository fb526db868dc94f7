import type { LevelRef } from '../position.ts';
import type { QueueOrder } from './level.ts';

/** One order of a row's lane: the one that has this place when it is asked, whatever place it has later. */
export interface LaneAsk {
  readonly serial: number;
  readonly level: LevelRef;
  readonly place: number;
}

export interface LaneResponse {
  readonly serial: number;
  readonly level: LevelRef;
  /** Orders of the row. */
  readonly count: number;
  /** Null once it has left the row, and where no order had that place. */
  readonly order: QueueOrder | null;
}
