import { figures, ownerLens, sweep, sweptOrders } from '@l4desk/insight';
import type { FiguresAnswer, FiguresAsk } from '../../panes/figures.ts';
import type { OwnersAnswer, OwnersAsk } from '../../panes/owners.ts';
import type { SweepAnswer, SweepAsk } from '../../panes/sweep.ts';
import type { ShownBook } from './pane-context.ts';
import { SlowPane } from './slow-pane.ts';

export const ownersPane = () =>
  new SlowPane<OwnersAsk, OwnersAnswer>(({ book, position }, { serial, withinBps, limit }, clock) => ({
    serial,
    height: position.height,
    lens: ownerLens(book, { withinBps, limit, clock }),
  }));

export const figuresPane = () =>
  new SlowPane<FiguresAsk, FiguresAnswer>(({ book, position, frozen }, { serial, tick }) => ({
    serial,
    height: position.height,
    time: position.blockTime,
    live: !frozen,
    figures: figures(book, tick),
  }));

export const sweepPane = () =>
  new SlowPane<SweepAsk, SweepAnswer>(({ book, position }: ShownBook, { serial, side, amount, limit }) => ({
    serial,
    height: position.height,
    sweep: sweep(book, side, amount),
    orders: sweptOrders(book, side, amount, limit),
  }));
