import type { Address, DecimalString } from '@l4desk/protocol';
import type { StatusFacts } from '../integrity.ts';
import type { FoundOrder } from '../messages.ts';
import type { BestPrices } from '../position.ts';

/** Seconds over which a tile counts events, the current one included. */
export const EVENT_SECONDS = 60;

/** What the radar shows of one coin. Figures are exact and computed for the block in `position`. */
export interface RadarTile extends StatusFacts {
  readonly best: BestPrices;
  /** The finest step of the book's prices; undefined before there is one. */
  readonly tick: DecimalString | undefined;
  /** In basis points of the mid; null if a side is missing. */
  readonly spreadBps: DecimalString | null;
  /** (bids − asks) ÷ (bids + asks) within 10 basis points of the mid; null if nothing rests there. */
  readonly lean: DecimalString | null;
  readonly events: readonly number[];
  /** Changes per second over the last ten seconds, or over those since its book came; null before one second is known. */
  readonly changesPerSecond: number | null;
  readonly watched: { readonly bids: number; readonly asks: number };
}

export type ToRadar =
  | { readonly kind: 'follow'; readonly coins: readonly string[] }
  | { readonly kind: 'wallets'; readonly wallets: readonly Address[] }
  /** The page is hidden or visible again: tiles are sent only while it is visible. */
  | { readonly kind: 'look'; readonly isVisible: boolean }
  | { readonly kind: 'find'; readonly serial: number; readonly order: number | string };

export type FromRadar =
  | { readonly kind: 'tiles'; readonly tiles: readonly RadarTile[] }
  | { readonly kind: 'paid'; readonly credits: number }
  /** The response to `find` with this serial; null if no book has the order. */
  | { readonly kind: 'found'; readonly serial: number; readonly order: FoundOrder | null };
