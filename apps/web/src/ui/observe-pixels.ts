/**
 * Observes an element's size in device pixels, if the browser supports that: they can change while the size in CSS pixels does
 * not.
 */
export function observePixels(observer: ResizeObserver, element: Element): void {
  try {
    observer.observe(element, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(element);
  }
}
