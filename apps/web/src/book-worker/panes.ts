import type { DecimalString } from '@l4desk/protocol';
import type { FiguresData } from './panes/figures.ts';
import type { LevelData, LevelParams } from './panes/level.ts';
import type { MapData, MapParams } from './panes/map.ts';
import type { OwnersData, OwnersParams } from './panes/owners.ts';
import type {
  DifferenceData,
  DifferenceParams,
  FlowData,
  FlowParams,
  LifeData,
  LifeParams,
  TapeData,
  TapeParams,
  TimeData,
  TimeParams,
} from './panes/past.ts';
import type { QueueData, QueueParams, QueuesData, QueuesParams } from './panes/queues.ts';
import type { RulerData, RulerParams } from './panes/ruler.ts';
import type { SweepData, SweepParams } from './panes/sweep.ts';
import type { Position } from './position.ts';

/** What the worker computes of the shown book for the page: the parameters of each pane, and its data. */
interface Panes {
  readonly level: [LevelParams, LevelData];
  readonly ruler: [RulerParams, RulerData];
  readonly map: [MapParams, MapData];
  readonly owners: [OwnersParams, OwnersData];
  readonly figures: [object, FiguresData];
  readonly sweep: [SweepParams, SweepData];
  readonly queues: [QueuesParams, QueuesData];
  readonly queue: [QueueParams, QueueData];
  readonly time: [TimeParams, TimeData];
  readonly tape: [TapeParams, TapeData];
  readonly flow: [FlowParams, FlowData];
  readonly life: [LifeParams, LifeData];
  readonly difference: [DifferenceParams, DifferenceData];
}

export type PaneName = keyof Panes;
export type PaneParams<Name extends PaneName> = Panes[Name][0];
export type PaneData<Name extends PaneName> = Panes[Name][1];

/** The book and the block that a pane was computed from. */
interface PaneBlock {
  /** The choice of the book: another one has nothing in common with it. */
  readonly generation: number;
  readonly height: number;
  /** The shown book is held at this block or reached by time travel: it is not the live one. */
  readonly frozen: boolean;
  readonly sizeDecimals: number;
}

/** A pane's data, and the block it was computed from. */
export type PaneResult<Name extends PaneName = PaneName> = PaneData<Name> & PaneBlock;

/** A pane's name and parameters as text, which also names its results. */
export function paneRequest<Name extends PaneName>(name: Name, params: PaneParams<Name>): string {
  return JSON.stringify([name, params]);
}

/** The last result of each requested pane, by its request. */
export type PaneResults = Readonly<Record<string, PaneResult>>;

/** What all parts of the page show of one block. */
export interface ShownBlock extends Position, PaneBlock {
  readonly coin: string;
  /** The exchange's clock when this was read: the block's time plus the time since it arrived. Ages are counted by it. */
  readonly clock: number;
  /** When this was read, in this machine's ms: the time since then is added to `clock`, but not while frozen. */
  readonly at: number;
  readonly best: BestPrices;
  readonly counts: BookCounts;
}

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
