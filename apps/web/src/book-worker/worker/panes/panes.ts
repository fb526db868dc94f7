import { figures, OwnersMemory, type QueueFront, touchFigures } from '@l4desk/insight';
import { type Address, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import { type PanesAsk, type PanesFrame, SLOW_PANES, type SlowPaneName, type SlowPanes } from '../../panes.ts';
import type { Past } from '../past/past.ts';
import { differencePane, flowPane, lifePane, tapePane, timePane } from '../past/past-panes.ts';
import { GoneOrders } from '../places/gone-orders.ts';
import { WatchedQueues } from '../watched-queues.ts';
import { mapPane } from './draw-map.ts';
import { FiguresHistory } from './figures-history.ts';
import { LevelPane } from './level-pane.ts';
import { type BookAt, bestOf, countsOf, type ShownBook, sizeDecimalsOf } from './pane-context.ts';
import { rulerPane } from './ruler-pane.ts';
import { SlowPane } from './slow-pane.ts';
import { figuresPane, ownersPane, sweepPane } from './slow-panes.ts';

type SlowPaneSet = { readonly [Name in SlowPaneName]: SlowPane<SlowPanes[Name][0], SlowPanes[Name][1] | undefined> };

type AnySlowPane = SlowPane<never, unknown>;

/** What the panes of one frame share. */
export type PanesContext = Pick<PanesFrame, 'generation' | 'clock' | 'at'>;

export interface PanesDeps {
  readonly past: Past;
  /** The price step of the shown book, where known. */
  tick(): DecimalString | undefined;
  /** A pane has something newer for the page, though no block arrived. */
  onNewer(): void;
}

/** The panes' side in the worker: keeps the panes' requests, and reads all responses from the one shown book. */
export class Panes {
  readonly #deps: PanesDeps;
  #level = new LevelPane();
  /** What owners and figures retain of the live book, updated with every block. */
  #lens = new OwnersMemory();
  #near = new OwnersMemory();
  readonly #watched = new WatchedQueues();
  readonly #gone = new GoneOrders();
  #wallets: ReadonlySet<Address> = new Set();
  #slow: SlowPaneSet;
  /** The figures over time, by a recording or by the kept minutes of a coin. */
  readonly #histories = new WeakMap<object, FiguresHistory>();
  #ask: PanesAsk = {};

  constructor(deps: PanesDeps) {
    this.#deps = deps;
    this.#slow = this.#slowPanes();
  }

  /** New ones, which keep nothing of another coin or history. */
  #slowPanes(): SlowPaneSet {
    const { past } = this.#deps;
    return {
      ruler: rulerPane(),
      map: mapPane(),
      owners: ownersPane(past, this.#lens),
      figures: figuresPane({
        memory: this.#near,
        history: () => this.#historyOf(past.recorded ?? past.kept),
        tick: () => this.#deps.tick(),
      }),
      sweep: sweepPane(),
      queues: new SlowPane((shown, ask) => ({
        ...this.#watched.respond(shown, ask),
        // For a past block this would come from its future.
        left: (ask.chosen === null || shown.frozen ? undefined : this.#gone.get(ask.chosen)) ?? null,
      })),
      time: timePane(past),
      tape: tapePane(past),
      flow: flowPane(past),
      life: lifePane(past),
      difference: differencePane(past),
    };
  }

  /** The history was (re)started: earlier responses are invalid, though no block arrived. */
  onPast(): void {
    this.#slow = this.#slowPanes();
    this.#deps.onNewer();
  }

  want(ask: PanesAsk): void {
    this.#ask = ask;
  }

  /** Follows the queues of these wallets' orders, and no others. */
  watchWallets(wallets: readonly Address[], live: BookAt | undefined): void {
    this.#wallets = new Set(wallets.map(lowerCaseAddress));
    this.#watched.watch(wallets, live);
  }

  #historyOf(line: object): FiguresHistory {
    const history = this.#histories.get(line) ?? new FiguresHistory();
    this.#histories.set(line, history);
    return history;
  }

  /** A block was applied to the live book and to the past. */
  onBlock(live: BookAt, prevSeq: number): void {
    const events = this.#deps.past.eventsOf(live.position);
    this.#watched.onBlock(live, prevSeq, events);
    if (events !== undefined) {
      this.#gone.note(live, events, this.#wallets);
      this.#lens.note(live.book, events);
      this.#near.note(live.book, events);
      this.#level.note(live.book, events);
    }
    const history = this.#historyOf(this.#deps.past.kept);
    const { blockTime } = live.position;
    if (history.isDue(blockTime)) history.note(blockTime, figures(live.book, this.#deps.tick(), this.#near));
  }

  /** Another coin is followed: drops everything retained for the last one. */
  forget(): void {
    this.#level = new LevelPane();
    this.#lens = new OwnersMemory();
    this.#near = new OwnersMemory();
    this.#slow = this.#slowPanes();
    this.#watched.forget();
    this.#gone.forget();
  }

  /** The foremost orders of the watched wallets on a side of the shown book. */
  fronts(...asked: Parameters<WatchedQueues['fronts']>): Iterable<QueueFront> {
    return this.#watched.fronts(...asked);
  }

  frame(shown: ShownBook, context: PanesContext): PanesFrame {
    const { book, position, frozen } = shown;
    const { level, figures: strip } = this.#ask;
    let isLater = false;
    const slow: Record<string, unknown> = {};
    for (const name of SLOW_PANES) {
      // Each pane has the request and the response of its name.
      const pane = this.#slow[name] as AnySlowPane;
      const turn = pane.respond(shown, this.#ask[name] as never, context);
      if (turn === 'later') isLater = true;
      else if (turn !== undefined) slow[name] = turn.response;
    }
    if (isLater) this.#deps.onNewer();
    return {
      ...position,
      ...context,
      coin: book.coin,
      frozen,
      sizeDecimals: sizeDecimalsOf(book),
      best: bestOf(book),
      counts: countsOf(book),
      level: level && this.#level.respond(book, level),
      touch: strip && (touchFigures(book, this.#deps.tick()) ?? null),
      ...slow,
    };
  }
}
