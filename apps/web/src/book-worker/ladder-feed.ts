import type { FrameAsk } from './messages.ts';
import type { LaneAsk, LaneResponse } from './panes/lane.ts';
import type { PanesFrame } from './panes.ts';

/** The frames of one ladder: requests for them, and the listener that receives the responses. */
export interface LadderFeed {
  readonly generation: number;
  onFrame(listener: (buffer: ArrayBuffer, panes: PanesFrame | undefined) => void): void;
  ask(ask: FrameAsk, spare?: ArrayBuffer): void;
  rest(): void;
  showPanes(panes: PanesFrame | undefined): void;
  nextSerial(): number;
  /** Requests one order of a lane with every frame of the first ladder from now on; undefined for none. */
  wantLane(ask: LaneAsk | undefined): void;
  /** The last lane response. */
  lane(): LaneResponse | undefined;
}
