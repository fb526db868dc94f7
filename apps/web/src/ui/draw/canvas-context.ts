/** What is drawn with, on the page or in a worker. */
export type CanvasContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * The context of a canvas. The browser may drop it, for example when memory is short; `onRestored` is called once it is back, in its
 * default state. Throws in a browser that draws no canvas.
 */
export function openContext(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  onRestored: () => void,
  settings?: CanvasRenderingContext2DSettings,
): CanvasContext {
  const context = canvas.getContext('2d', settings);
  if (context === null) throw new Error('this browser draws no canvas');
  // The two kinds of canvas share no `addEventListener` overload except that of `EventTarget`.
  const target: EventTarget = canvas;
  target.addEventListener('contextrestored', onRestored);
  return context;
}
