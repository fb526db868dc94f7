import type { Drawing } from '../live-drawing/drawing-painter.ts';
import type { GridScene } from '../live-grid/grid-painter.ts';
import type { DrawTheme } from './draw-theme.ts';
import type { ToPainter } from './painter.ts';

/** What the shared worker can draw, by the canvas's `data-part`. */
export interface Scenes {
  readonly rows: GridScene;
  readonly drawing: Drawing;
}

export type SceneKind = keyof Scenes;

/** Messages to the shared worker; each canvas has its own number. */
export type ToSharedWorker =
  | {
      readonly kind: 'open';
      readonly id: number;
      readonly sceneKind: SceneKind;
      readonly canvas: OffscreenCanvas;
      readonly theme: DrawTheme;
    }
  | { readonly kind: 'draw'; readonly id: number; readonly message: ToPainter<Scenes[SceneKind]> }
  | { readonly kind: 'close'; readonly id: number };
