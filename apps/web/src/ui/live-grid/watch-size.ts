import { observePixels } from '../observe-pixels.ts';
import type { CanvasSize } from './canvas/grid-painter.ts';

/** Tells how large the rows' place is, now and whenever that changes, with the width that the scroll bar leaves. */
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
  // A place that begins or ends between two device pixels: only this says how many there are.
  observePixels(observer, place);
  observer.observe(scroller);
  tell();
  return () => observer.disconnect();
}

/** What the browser counted, as far as it goes with the ratio: it may count at another one while that changes, or is emulated. */
function devicePixels(counted: number | undefined, expected: number): number {
  return counted !== undefined && Math.abs(counted - expected) < 2 ? counted : Math.round(expected);
}
