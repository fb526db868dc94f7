/**
 * What a book and its blocks show: owners and their places in queues, what a market order would take, what moved at each level,
 * how every order lived, and the last minutes to travel in. Pure.
 */
export {
  type Figures,
  figures,
  type Imbalance,
  TOP_OWNER_BPS,
  type TouchFigures,
  touchFigures,
} from './figures.ts';
export { FLOW_KINDS, type FlowEvent, type FlowKind, movedSize } from './flow/flow-event.ts';
export {
  type FlowSum,
  type FlowSums,
  FlowTotals,
  type LevelFlow,
  type MovedRows,
  type RowMoved,
} from './flow/flow-totals.ts';
export { FLOW_SPANS_MS, FlowWindow } from './flow/flow-window.ts';
export type { Move } from './flow/moves.ts';
export { type Print, printsOf } from './flow/prints.ts';
export { RequoteRates } from './flow/requote-rates.ts';
export { type Difference, differenceBetween, type LevelDifference } from './history/difference.ts';
export { HISTORY_BOUNDS, History, type HistoryBounds, type WalkStep } from './history/history.ts';
export { type LifeEvent, type OrderLife, orderLife } from './history/order-life.ts';
export { changesOf, redo, streamBlock } from './history/replay.ts';
export {
  type BlockMark,
  type HistoryBlock,
  type OrderDifference,
  placeAtHeight,
  placeAtTime,
  placeOfMark,
  type TimeGap,
  type TimeLine,
} from './history/time-line.ts';
export {
  LEVEL_SORTS,
  LevelList,
  type LevelListQuery,
  type LevelSort,
  type ListedOrder,
  type ListedOwner,
} from './level-list.ts';
export { OwnersMemory } from './near-tally.ts';
export {
  LENS_DISTANCES,
  type LensOwner,
  type LensSide,
  type OwnerLens,
  type OwnerLensQuery,
  ownerLens,
  type Wall,
} from './owner-lens.ts';
export { type OwnerShare, type Owners, owners } from './owners.ts';
export type { QueueEvent, QueueLife, QueueMoment, QueuePart } from './queue-life.ts';
export { QUEUE_LIVES_MAX, type QueueFront, QueueLives } from './queue-lives.ts';
export { type OrderPlace, queuePlaces, queuePlacesOf } from './queue-places.ts';
export {
  type Sweep,
  type SweepAmount,
  type SweptOrder,
  type SweptOwner,
  sweep,
  sweptOrders,
  type TakerSide,
} from './sweep.ts';
export { type Missed, type MissedSide, missedBetween, type OrdersSum } from './watch/missed.ts';
export { RuleWatch, type WatchPosition } from './watch/rule-watch.ts';
export { checkRule, type WatchFacts, type WatchHit, type WatchRule } from './watch/rules.ts';
