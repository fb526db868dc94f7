import type { BookViewQuery } from '@l4desk/protocol';
import { Listeners } from '@l4desk/runtime';
import type { BookView, CoinTrades, FeedBookStatus, PublishedBlock, ViewLease } from '../api.ts';
import type { ViewHolders } from '../channels/view-holders.ts';

/** What the readers of any feed listen to. */
export abstract class FeedListeners {
  protected readonly blocks = new Listeners<PublishedBlock>();
  protected readonly trades = new Listeners<CoinTrades>();
  protected readonly statuses = new Listeners<FeedBookStatus>();
  protected abstract readonly views: ViewHolders;

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.blocks.add(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    return this.trades.add(listener);
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    return this.statuses.add(listener);
  }

  watchView(query: BookViewQuery): ViewLease {
    return this.views.watch(query);
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.views.onView(listener);
  }
}
