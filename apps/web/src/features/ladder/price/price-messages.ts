import type { PriceFacts, Readout } from '../../../book-worker/worker/draw-price/price-view.ts';
import type { WalletColour } from '../../../wallets/wallet.ts';
import type { CanvasMessage, OpenCanvas } from '../canvas/worker-canvas.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** From the page to the canvas in the worker. Positions are CSS pixels. */
export type ToPrice =
  | OpenCanvas
  | CanvasMessage
  /** The time shown, up to the newest block, 0 for everything that is kept; and the colours of the watched wallets, by mark from 1. */
  | { readonly kind: 'look'; readonly spanMs: number; readonly hues: readonly WalletColour[] }
  /** Points at a position, or at nothing. */
  | { readonly kind: 'point'; readonly at: Point | undefined }
  /** Moves what is pointed at by columns to the right and rows upward. */
  | { readonly kind: 'move'; readonly columns: number; readonly rows: number }
  /** Responds with `chosen`: the block at a position, or the one pointed at. */
  | { readonly kind: 'choose'; readonly at: Point | undefined };

export type FromPrice =
  | { readonly kind: 'readout'; readonly readout: Readout | undefined }
  | { readonly kind: 'facts'; readonly facts: PriceFacts | undefined }
  | { readonly kind: 'chosen'; readonly height: number };
