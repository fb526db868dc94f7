import { observePixels } from '../observe-pixels.ts';
import type { CanvasSize } from './canvas/grid-painter.ts';

/** Reports the size of the rows' area, now and at every change, with the width inside the scroll bar. */
export function watchSize(
  place: HTMLElement,
  scroller: HTMLElement,
  onSize: (size: CanvasSize, width: number) => void,
): () => void {
  let device: ResizeObserverSize | undefined;
  const tell = () => {
    const { clientWidth: width, clientHeight: height } = place;
    const ratio = devicePixelRatio;
    const deviceWidth = devicePixels(device?.inlineSize, width * ratio);
    const deviceHeight = devicePixels(device?.blockSize, height * ratio);
    onSize({ width, height, deviceWidth, deviceHeight, ratio }, scroller.clientWidth);
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target, devicePixelContentBoxSize } of entries)
      if (target === place) device = devicePixelContentBoxSize?.[0];
    tell();
  });
  // For an area that starts or ends between two device pixels, only this gives the exact count.
  observePixels(observer, place);
  observer.observe(scroller);
  tell();
  return () => observer.disconnect();
}

/** The browser's pixel count if it agrees with the ratio. It may use another ratio while that changes, or is emulated. */
function devicePixels(counted: number | undefined, expected: number): number {
  return counted !== undefined && Math.abs(counted - expected) < 2 ? counted : Math.round(expected);
}
