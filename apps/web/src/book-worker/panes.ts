import type { DecimalString } from '@l4desk/protocol';
import type { FiguresAsk, FiguresResponse, TouchFigures } from './panes/figures.ts';
import type { LaneAsk, LaneResponse } from './panes/lane.ts';
import type { LevelAsk, LevelResponse } from './panes/level.ts';
import type { MapAsk, MapResponse } from './panes/map.ts';
import type { OwnersAsk, OwnersResponse } from './panes/owners.ts';
import type {
  DifferenceAsk,
  DifferenceResponse,
  FlowAsk,
  FlowResponse,
  LifeAsk,
  LifeResponse,
  TapeAsk,
  TapeResponse,
  TimeAsk,
  TimeResponse,
} from './panes/past.ts';
import type { QueuesAsk, QueuesResponse } from './panes/queues.ts';
import type { RulerAsk, RulerResponse } from './panes/ruler.ts';
import type { SweepAsk, SweepResponse } from './panes/sweep.ts';
import type { Position } from './position.ts';

/** What the open panes request with each frame; one optional field per pane, absent while it is closed. */
export interface PanesAsk {
  readonly level?: LevelAsk | undefined;
  readonly lane?: LaneAsk | undefined;
  readonly ruler?: RulerAsk | undefined;
  readonly map?: MapAsk | undefined;
  readonly owners?: OwnersAsk | undefined;
  readonly figures?: FiguresAsk | undefined;
  readonly sweep?: SweepAsk | undefined;
  readonly queues?: QueuesAsk | undefined;
  readonly time?: TimeAsk | undefined;
  readonly tape?: TapeAsk | undefined;
  readonly flow?: FlowAsk | undefined;
  readonly life?: LifeAsk | undefined;
  readonly difference?: DifferenceAsk | undefined;
}

/**
 * Everything besides the ladder's rows that belongs to one frame. It arrives and is shown with the frame, so that ladder, panes,
 * counts and clocks show the same block. Each pane's response has the name of its request.
 */
export interface PanesFrame extends Position {
  readonly generation: number;
  readonly coin: string;
  /** The shown book is held at this block or reached by time travel: it is not the live one. */
  readonly frozen: boolean;
  /** The exchange's clock when the frame was made: the block's time plus the time since it arrived. Ages are counted by it. */
  readonly clock: number;
  /** When the frame was made, in this machine's ms: the time since then is added to `clock`, but not while frozen. */
  readonly at: number;
  readonly sizeDecimals: number;
  readonly best: BestPrices;
  readonly counts: BookCounts;
  readonly level?: LevelResponse | undefined;
  /** The figures of the best prices, while figures are requested; null for a book that lacks a side. */
  readonly touch?: TouchFigures | null | undefined;
  readonly lane?: LaneResponse | undefined;
  /**
   * Panes too expensive to compute for every block have a response a few times a second: the last one stays, and names its block.
   */
  readonly owners?: OwnersResponse | undefined;
  readonly ruler?: RulerResponse | undefined;
  readonly map?: MapResponse | undefined;
  readonly figures?: FiguresResponse | undefined;
  readonly sweep?: SweepResponse | undefined;
  readonly queues?: QueuesResponse | undefined;
  readonly time?: TimeResponse | undefined;
  readonly tape?: TapeResponse | undefined;
  readonly flow?: FlowResponse | undefined;
  readonly life?: LifeResponse | undefined;
  readonly difference?: DifferenceResponse | undefined;
}

/** The panes that have a response a few times a second. */
export const SLOW_PANES = [
  'owners',
  'figures',
  'sweep',
  'queues',
  'time',
  'tape',
  'flow',
  'life',
  'difference',
  'ruler',
  'map',
] as const;

export type SlowPaneName = (typeof SLOW_PANES)[number];

/** By pane name, the frame that its last response came with. */
export type SlowResponses = Partial<Readonly<Record<SlowPaneName, PanesFrame>>>;

/** Undefined for an empty side. */
export interface BestPrices {
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
}

export interface BookCounts {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}
