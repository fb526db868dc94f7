import type { Address, DecimalString } from '@l4desk/protocol';
import type { StatusFacts } from '../integrity.ts';
import type { BestPrices } from '../panes.ts';

/** Seconds of the past that a tile tells the events of. */
export const EVENT_SECONDS = 60;

/** What the radar says of one coin. Figures are exact, and of the block that `position` says. */
export interface RadarTile extends StatusFacts {
  readonly best: BestPrices;
  /** In basis points of the mid; null without both sides. */
  readonly spreadBps: DecimalString | null;
  /** (bids − asks) ÷ (bids + asks) within 10 basis points of the mid; null where nothing is. */
  readonly lean: DecimalString | null;
  /** Changes of the book in each of the last seconds, the newest last. */
  readonly events: readonly number[];
  /** Resting orders of the watched wallets. */
  readonly watched: { readonly bids: number; readonly asks: number };
}

/** What the page tells the radar's worker. */
export type ToRadar =
  /** Follow these coins and no others. */
  | { readonly kind: 'follow'; readonly coins: readonly string[] }
  /** Count the orders of these wallets. */
  | { readonly kind: 'wallets'; readonly wallets: readonly Address[] }
  /** The page is hidden, or seen again: tiles are told only to one who looks. */
  | { readonly kind: 'look'; readonly isVisible: boolean };

/** What the radar's worker tells the page. */
export type FromRadar =
  | { readonly kind: 'tiles'; readonly tiles: readonly RadarTile[] }
  | { readonly kind: 'paid'; readonly credits: number };
