import type { BookLevels } from '@l4desk/protocol';
import type { Fault } from '../faults/fault.ts';
import type { FaultState } from '../faults/fault-plan.ts';
import type { InfoFaultState } from '../faults/info-faults.ts';
import type { FeedCounts } from '../feed/l4book-feed.ts';
import type { BookSize, SourceCounts } from '../feed/source.ts';
import type { InfoCounts } from '../info/info-api.ts';
import type { WalletEntry } from '../info/wallet-list.ts';
import type { MarketLevels } from '../market/coin-market.ts';

/** The venue's own book of a coin after block `height`: bids, then asks, best price first, in queue order. */
export interface BookResponse {
  readonly coin: string;
  readonly height: number;
  readonly time: number;
  readonly levels: BookLevels;
}

export interface StateResponse {
  readonly source: 'simulation' | 'capture';
  readonly height: number;
  readonly time: number;
  /** Pace as a factor; 0 means that the market is stopped. */
  readonly pace: number;
  /** True once a capture has played its last block. */
  readonly ended: boolean;
  readonly coins: Readonly<Record<string, BookSize>>;
  readonly clients: number;
  /** Number of clients subscribed to each coin. */
  readonly subscriptions: Readonly<Record<string, number>>;
  readonly faults: readonly (FaultState | InfoFaultState)[];
  readonly silent: boolean;
  readonly refusing: boolean;
  readonly counts: SourceCounts & FeedCounts;
  /** Calls of the info API. */
  readonly info: InfoCounts;
}

/** The operations of the control port; tests also call them in the same process. */
export interface VenueControls {
  /**
   * Makes `blocks` blocks. Resolves to the height once they are handed to the sockets; rejects with MarketRunsError
   * unless the pace is 0.
   */
  step(blocks: number): Promise<number>;
  setPace(factor: number): void;
  /** Changes the given factors. Returns null if a capture is replayed, because it has none. */
  setLevels(levels: { readonly [K in keyof MarketLevels]?: number | undefined }): MarketLevels | null;
  /**
   * Jumps to a recorded height, disconnects every client and returns the height that clients will see. Returns null if
   * the market is simulated. Throws SeekError.
   */
  seek(height: number): number | null;
  /**
   * Sets whether a capture or recording starts again after its last block. Returns false, and does nothing, if the market
   * is simulated.
   */
  setLoop(loop: boolean): boolean;
  applyFault(fault: Fault): void;
  hasCoin(coin: string): boolean;
  /** Whether the venue writes the files of a node. */
  readonly writesNodeFiles: boolean;
  /** Every wallet that has an address, and what it has now. */
  wallets(): readonly WalletEntry[];
  /** Null for a coin that is not listed. */
  book(coin: string): BookResponse | null;
  state(): StateResponse;
}
