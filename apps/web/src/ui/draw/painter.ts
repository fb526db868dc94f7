import type { DrawTheme } from './draw-theme.ts';

/** The size of a canvas, in CSS pixels and in whole device pixels. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
  readonly deviceWidth: number;
  readonly deviceHeight: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Messages from the page to a painter: what it draws is a `Scene`. */
export type ToPainter<Scene> =
  | { readonly kind: 'theme'; readonly theme: DrawTheme }
  | { readonly kind: 'size'; readonly size: CanvasSize }
  | { readonly kind: 'paint'; readonly scene: Scene };

/** Draws on one canvas, in a worker or on the page. */
export interface Painter<Scene> {
  receive(message: ToPainter<Scene>): void;
  /** Called when the fonts are loaded: measures and draws again. */
  remeasure(): void;
}

/** A painter; without `hasFaces`, the page's fonts are still loading. */
export type PainterClass<Scene> = new (
  canvas: HTMLCanvasElement | OffscreenCanvas,
  theme: DrawTheme,
  hasFaces: boolean,
) => Painter<Scene>;
