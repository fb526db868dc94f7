import { observePixels } from '../observe-pixels.ts';
import type { CanvasSize } from './painter.ts';

/** Reports the size of a canvas's box, now and whenever it or the size of `scroller`, which lies over it, changes. */
export function watchSize(place: HTMLElement, onSize: (size: CanvasSize) => void, scroller?: HTMLElement): () => void {
  let device: ResizeObserverSize | undefined;
  const tell = () => {
    const { clientWidth: width, clientHeight: height } = place;
    const ratio = devicePixelRatio;
    const deviceWidth = devicePixels(device?.inlineSize, width * ratio);
    const deviceHeight = devicePixels(device?.blockSize, height * ratio);
    onSize({ width, height, deviceWidth, deviceHeight, ratio });
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target, devicePixelContentBoxSize } of entries)
      if (target === place) device = devicePixelContentBoxSize?.[0];
    tell();
  });
  // For an area that starts or ends between two device pixels, only this gives the exact count.
  observePixels(observer, place);
  if (scroller !== undefined) observer.observe(scroller);
  tell();
  return () => observer.disconnect();
}

/** The browser's pixel count if it agrees with the ratio. It may use another ratio while that changes, or is emulated. */
function devicePixels(counted: number | undefined, expected: number): number {
  return counted !== undefined && Math.abs(counted - expected) < 2 ? counted : Math.round(expected);
}
