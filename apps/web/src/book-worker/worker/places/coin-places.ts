import type { CoinState } from '@l4desk/client';
import type { FlowEvent } from '@l4desk/insight';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';
import type { CoinPlaces, GoneOrder } from '../../panes/places.ts';
import type { BookAt } from '../panes/pane-context.ts';
import { WatchedQueues } from '../watched-queues.ts';

/** Orders listed a side; more are counted. */
const LISTED = 2_000;

/** Orders that left, of one coin; the oldest are forgotten first. */
const GONE_MAX = 1_000;

/** The orders of some wallets in one coin's book: their places, and which of them left. */
export class CoinPlacesWatch {
  readonly coin: string;
  readonly #queues = new WatchedQueues();
  readonly #gone = new Map<number, GoneOrder>();
  #users: ReadonlySet<Address> = new Set();

  constructor(coin: string) {
    this.coin = coin;
  }

  watch(wallets: readonly Address[], live: BookAt | undefined): void {
    this.#users = new Set(wallets.map(lowerCaseAddress));
    this.#queues.watch(wallets, live);
  }

  /** A block was applied. `events` are its changes, undefined where nobody read them. */
  onBlock(live: BookAt, prevSeq: number, events: readonly FlowEvent[] | undefined): void {
    this.#queues.onBlock(live, prevSeq, events);
    const { height, blockTime: time } = live.position;
    for (const { act, oid, user, kind, inferred, other } of events ?? []) {
      if (!this.#users.has(user)) continue;
      // A change of place within a level is the same order again.
      if (act === 'insert') this.#gone.delete(oid);
      if (act !== 'remove') continue;
      const heir = other === null ? undefined : live.book.order(other);
      this.#gone.set(oid, {
        oid,
        height,
        time,
        kind,
        inferred,
        other: heir === undefined ? null : { oid: heir.oid, px: heir.limitPx },
      });
    }
    for (const oid of this.#gone.keys()) {
      if (this.#gone.size <= GONE_MAX) break;
      this.#gone.delete(oid);
    }
  }

  places(live: BookAt | undefined, state: Pick<CoinState, 'kind' | 'detail'>): CoinPlaces {
    const { coin } = this;
    const said = { coin, state: state.kind, detail: state.detail };
    if (live === undefined) return { ...said, height: undefined, orders: [], gone: [], total: 0 };
    const { height, orders, total } = this.#queues.answer({ ...live, frozen: false }, { serial: 0, limit: LISTED });
    return { ...said, height, orders, gone: [...this.#gone.values()], total };
  }
}
