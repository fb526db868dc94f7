import type { DecimalString } from '@l4desk/protocol';
import type { WalletColour } from '../../../wallets/wallet.ts';
import type { CanvasTheme } from '../canvas/theme.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** From the page to the canvas in the worker. Positions are CSS pixels. */
export type ToPrice =
  | { readonly kind: 'open'; readonly canvas: OffscreenCanvas; readonly theme: CanvasTheme }
  | { readonly kind: 'theme'; readonly theme: CanvasTheme }
  | { readonly kind: 'size'; readonly width: number; readonly height: number; readonly ratio: number }
  /** The time shown, up to the newest block, 0 for everything that is kept; and the colours of the watched wallets, by mark from 1. */
  | { readonly kind: 'look'; readonly spanMs: number; readonly hues: readonly WalletColour[] }
  /** Points at a position, or at nothing. */
  | { readonly kind: 'point'; readonly at: Point | undefined }
  /** Moves what is pointed at by columns to the right and rows upward. */
  | { readonly kind: 'move'; readonly columns: number; readonly rows: number }
  /** Responds with `chosen`: the block at a position, or the one pointed at. */
  | { readonly kind: 'choose'; readonly at: Point | undefined }
  | { readonly kind: 'close' };

export type FromPrice =
  | { readonly kind: 'readout'; readonly readout: Readout | undefined }
  | { readonly kind: 'facts'; readonly facts: PriceFacts | undefined }
  | { readonly kind: 'chosen'; readonly height: number };

/** What is under the crosshair: a row of prices in one block. */
export interface Readout {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly time: number;
  /** The lowest and the highest price of the row; the same if it is one price. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  /** The exact sizes that rest there, and those of watched wallets; undefined if none does. */
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
  readonly own: DecimalString | undefined;
  /** Whether the levels held of the block reach so far. */
  readonly isKnown: boolean;
}

/** What the canvas shows, in words, and its axes. */
export interface PriceFacts {
  readonly from: number;
  readonly to: number;
  readonly first: DecimalString | undefined;
  readonly last: DecimalString | undefined;
  readonly high: DecimalString | undefined;
  readonly low: DecimalString | undefined;
  readonly prints: number;
  /** The share from the top, and the price there. */
  readonly prices: readonly { readonly at: number; readonly px: DecimalString }[];
  /** Watched orders in the newest block, as far as their marks have room: the share from the top, and the wallet's mark. */
  readonly own: readonly { readonly at: number; readonly mark: number }[];
}
