/** Has the observer hear of an element's size in device pixels, where the browser tells it: a size in CSS pixels may stay as they change. */
export function observePixels(observer: ResizeObserver, element: Element): void {
  try {
    observer.observe(element, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(element);
  }
}
