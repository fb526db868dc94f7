import {
  figures,
  type LensOwner,
  type OwnerLens,
  type OwnersMemory,
  ownerLens,
  RequoteRates,
  sweep,
  sweptOrders,
} from '@l4desk/insight';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { FiguresAsk, FiguresResponse } from '../../panes/figures.ts';
import type { OwnersAsk, OwnersResponse, RequotesResponse } from '../../panes/owners.ts';
import type { SweepAsk, SweepResponse } from '../../panes/sweep.ts';
import type { Past } from '../past/past.ts';
import type { FiguresHistory } from './figures-history.ts';
import type { ShownBook } from './pane-context.ts';
import { SlowPane } from './slow-pane.ts';

/** Ownership changes slowly, and the list is long. */
const OWNERS_MS = 500;

/** `memory` is given the changes of every block, so that a response costs only as much as those changes. */
export const ownersPane = (past: Past, memory: OwnersMemory) => {
  const rates = new RequoteRates();
  return new SlowPane<OwnersAsk, OwnersResponse>(
    (shown, { serial, withinBps, limit }, clock) => {
      const lens = ownerLens(shown.book, { withinBps, limit, clock }, memory);
      return { serial, height: shown.position.height, lens, requotes: requotesOf(past, rates, shown, lens) };
    },
    { everyMs: OWNERS_MS },
  );
};

function requotesOf(past: Past, rates: RequoteRates, shown: ShownBook, lens: OwnerLens): RequotesResponse | null {
  const place = past.placeOf(shown);
  if (place === undefined) return null;
  rates.moveTo(past.line, place);
  const of = (side: Side) => (owner: LensOwner) => (owner.user === null ? null : rates.perMinute(owner.user, side));
  return { spanMs: rates.spanMs, bids: lens.bids.owners.map(of('B')), asks: lens.asks.owners.map(of('A')) };
}

interface FiguresDeps {
  /** As in `ownersPane`. */
  readonly memory: OwnersMemory;
  /** The history that the shown book belongs to. */
  readonly history: () => FiguresHistory;
  /** The price step of the shown book, where known. */
  readonly tick: () => DecimalString | undefined;
}

export const figuresPane = (deps: FiguresDeps) =>
  new SlowPane<FiguresAsk, FiguresResponse>((shown, { serial }) => {
    const { book, position } = shown;
    const { height, blockTime: time } = position;
    const now = figures(book, deps.tick(), deps.memory);
    const history = deps.history();
    // A block of another time was not seen live: of a recording, or before this page was opened.
    if (shown.frozen && history.isDue(time)) history.note(time, now);
    return { serial, height, time, figures: now, history: history.upTo(time, now) };
  });

export const sweepPane = () =>
  new SlowPane<SweepAsk, SweepResponse>(({ book, position }: ShownBook, { serial, side, amount, limit }) => ({
    serial,
    height: position.height,
    sweep: sweep(book, side, amount),
    orders: sweptOrders(book, side, amount, limit),
  }));
