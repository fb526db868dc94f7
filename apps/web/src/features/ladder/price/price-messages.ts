import type { PriceFacts, Readout } from '../../../book-worker/worker/draw-price/price-view.ts';
import type { WalletColour } from '../../../wallets/wallet.ts';
import type { CanvasMessage, OpenCanvas } from '../canvas/worker-canvas.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is under the crosshair. */
export interface PointedAt extends Readout {
  /** The book can be shown at this block: the map reaches back further. */
  readonly isKept: boolean;
  /** Where the span begins that ends here. */
  readonly span:
    | { readonly x: number; readonly height: number; readonly time: number; readonly isKept: boolean }
    | undefined;
}

/** What the canvas shows, and the time of the oldest block at which the book can be shown. */
export interface MapFacts extends PriceFacts {
  readonly keptFrom: number | undefined;
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
  /** Begins a span of time at a position, or at what is pointed at; it ends when nothing is pointed at, or one is chosen. */
  | { readonly kind: 'span'; readonly at: Point | undefined }
  /** Responds with `chosen`: the block at a position, or the one pointed at. */
  | { readonly kind: 'choose'; readonly at: Point | undefined };

export type FromPrice =
  | { readonly kind: 'readout'; readonly readout: PointedAt | undefined }
  | { readonly kind: 'facts'; readonly facts: MapFacts | undefined }
  /** The block, or the later one of a span that begins with block `since`. Not kept: the book cannot be shown there any more. */
  | {
      readonly kind: 'chosen';
      readonly height: number;
      readonly since: number | undefined;
      readonly isKept: boolean;
    };
