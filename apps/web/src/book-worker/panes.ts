import type { DecimalString } from '@l4desk/protocol';
import type { FiguresAsk, FiguresResponse, TouchFigures } from './panes/figures.ts';
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

/** The pane with a response in every frame: what it requests, and its response. */
interface FramePanes {
  readonly level: [LevelAsk, LevelResponse];
}

/**
 * Panes too expensive to compute for every block, which have a response a few times a second: the last one stays, and names its
 * block.
 */
export interface SlowPanes {
  readonly ruler: [RulerAsk, RulerResponse];
  readonly map: [MapAsk, MapResponse];
  readonly owners: [OwnersAsk, OwnersResponse];
  readonly figures: [FiguresAsk, FiguresResponse];
  readonly sweep: [SweepAsk, SweepResponse];
  readonly queues: [QueuesAsk, QueuesResponse];
  readonly time: [TimeAsk, TimeResponse];
  readonly tape: [TapeAsk, TapeResponse];
  readonly flow: [FlowAsk, FlowResponse];
  readonly life: [LifeAsk, LifeResponse];
  readonly difference: [DifferenceAsk, DifferenceResponse];
}

export type SlowPaneName = keyof SlowPanes;

export const SLOW_PANES: readonly SlowPaneName[] = [
  'ruler',
  'map',
  'owners',
  'figures',
  'sweep',
  'queues',
  'time',
  'tape',
  'flow',
  'life',
  'difference',
];

type AllPanes = FramePanes & SlowPanes;

/** What the open panes request; absent while a pane is closed. */
export type PanesAsk = { readonly [Name in keyof AllPanes]?: AllPanes[Name][0] | undefined };

/** The responses to these requests, by the same names. */
type PaneResponses = { readonly [Name in keyof AllPanes]?: AllPanes[Name][1] | undefined };

/**
 * What the panes show of one block, at most five times a second. Each pane's response has the name of its request.
 */
export interface PanesFrame extends Position, PaneResponses {
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
  /** The figures of the best prices, while figures are requested; null for a book that lacks a side. */
  readonly touch?: TouchFigures | null | undefined;
}

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
