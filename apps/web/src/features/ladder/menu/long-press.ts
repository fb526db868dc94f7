/** A finger that rests for this long opens a menu, in ms: browsers with a `contextmenu` event fire it earlier. */
const LONG_MS = 600;

/** A finger that moves further than this scrolls or drags, px. */
const REST_PX = 8;

/**
 * Calls `open` with the press of a finger that rests, because iOS has no `contextmenu` event. If it returns true, the click after
 * the press does nothing.
 */
export function onLongPress(element: HTMLElement, signal: AbortSignal, open: (press: PointerEvent) => boolean): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let press: PointerEvent | undefined;
  let isOpened = false;
  const end = () => clearTimeout(timer);
  const on = <K extends keyof HTMLElementEventMap>(type: K, run: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, run, { signal, capture: true });
  on('pointerdown', (event) => {
    end();
    press = event;
    isOpened = false;
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    timer = setTimeout(() => {
      isOpened = open(event);
    }, LONG_MS);
  });
  on('pointermove', ({ clientX, clientY }) => {
    if (press !== undefined && Math.hypot(clientX - press.clientX, clientY - press.clientY) > REST_PX) end();
  });
  for (const type of ['pointerup', 'pointercancel', 'contextmenu'] as const) on(type, end);
  signal.addEventListener('abort', end);
  on('click', (event) => {
    if (!isOpened) return;
    isOpened = false;
    event.preventDefault();
    event.stopPropagation();
  });
}
