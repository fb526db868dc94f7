import type { FrameAsk } from '../messages.ts';

/** The request of an untouched ladder of twenty rows. */
export const FRAME_ASK: FrameAsk = {
  serial: 1,
  generation: 1,
  after: 0,
  tick: null,
  axis: null,
  slots: 20,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 0,
  notional: 'none',
  flow: false,
};
