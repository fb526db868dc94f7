import type { DecimalString } from '@l4desk/protocol';
import type { FiguresAnswer, FiguresAsk, TouchFigures } from './panes/figures.ts';
import type { LaneAnswer, LaneAsk } from './panes/lane.ts';
import type { LevelAnswer, LevelAsk } from './panes/level.ts';
import type { MapAnswer, MapAsk } from './panes/map.ts';
import type { OwnersAnswer, OwnersAsk } from './panes/owners.ts';
import type {
  DifferenceAnswer,
  DifferenceAsk,
  FlowAnswer,
  FlowAsk,
  LifeAnswer,
  LifeAsk,
  TapeAnswer,
  TapeAsk,
  TimeAnswer,
  TimeAsk,
} from './panes/past.ts';
import type { QueuesAnswer, QueuesAsk } from './panes/queues.ts';
import type { RulerAnswer, RulerAsk } from './panes/ruler.ts';
import type { SweepAnswer, SweepAsk } from './panes/sweep.ts';
import type { Position } from './position.ts';

/** What the open panes want of each frame; one optional field a pane, absent while it is closed. */
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
 * Everything beside the ladder's rows that belongs to one frame. It comes with the frame and is shown with it, so that
 * ladder, panes, counts and clocks are of one block. The panes' answers stand under the names of their asks.
 */
export interface PanesFrame extends Position {
  readonly generation: number;
  readonly coin: string;
  /** The shown book is held at this block or travelled to: it is not the live one. */
  readonly frozen: boolean;
  /** The exchange's clock when the frame was made: the block's time and what had passed since it came. Ages are counted by it. */
  readonly clock: number;
  /** When the frame was made, in this machine's ms: what has passed since then is added to `clock`, but not while frozen. */
  readonly at: number;
  readonly sizeDecimals: number;
  readonly best: BestPrices;
  readonly counts: BookCounts;
  readonly level?: LevelAnswer | undefined;
  /** The figures of the best prices, while figures are asked for; null of a book without both sides. */
  readonly touch?: TouchFigures | null | undefined;
  readonly lane?: LaneAnswer | undefined;
  /** What costs too much for every block is answered a few times a second: the last answer stands, and says its block. */
  readonly owners?: OwnersAnswer | undefined;
  readonly ruler?: RulerAnswer | undefined;
  readonly map?: MapAnswer | undefined;
  readonly figures?: FiguresAnswer | undefined;
  readonly sweep?: SweepAnswer | undefined;
  readonly queues?: QueuesAnswer | undefined;
  readonly time?: TimeAnswer | undefined;
  readonly tape?: TapeAnswer | undefined;
  readonly flow?: FlowAnswer | undefined;
  readonly life?: LifeAnswer | undefined;
  readonly difference?: DifferenceAnswer | undefined;
}

/** The panes that are answered a few times a second. */
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

/** By the name of a pane the frame that its last answer came with. */
export type SlowAnswers = Partial<Readonly<Record<SlowPaneName, PanesFrame>>>;

/** Undefined of an empty side. */
export interface BestPrices {
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
}

export interface BookCounts {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}
