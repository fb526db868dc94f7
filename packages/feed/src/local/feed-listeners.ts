import { Listeners } from '@l4desk/runtime';
import type { BookView, CoinTrades, FeedBookStatus, PublishedBlock } from '../api.ts';

/** What the readers of any feed listen to. */
export class FeedListeners {
  protected readonly blocks = new Listeners<PublishedBlock>();
  protected readonly trades = new Listeners<CoinTrades>();
  protected readonly statuses = new Listeners<FeedBookStatus>();
  protected readonly views = new Listeners<BookView>();

  onBlock(listener: (block: PublishedBlock) => void): () => void {
    return this.blocks.add(listener);
  }

  onTrades(listener: (trades: CoinTrades) => void): () => void {
    return this.trades.add(listener);
  }

  onBookStatus(listener: (status: FeedBookStatus) => void): () => void {
    return this.statuses.add(listener);
  }

  onView(listener: (view: BookView) => void): () => void {
    return this.views.add(listener);
  }
}
