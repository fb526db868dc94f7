import { type RefObject, useEffect, useState } from 'react';
import { Hold } from './canvas/hold.ts';

/** Says why the rows of a list are not as they would be otherwise. */
export const HELD_TITLE =
  'Rows keep their places while the pointer is over them, or the keyboard in them, up to 10 s after the last movement or key';

/**
 * Whether the rows of a list keep their places: while the pointer is over it or it has the focus, up to 10 s after the last
 * movement or key.
 */
export function useListHold(list: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const ending = new AbortController();
    let isOver = false;
    let hasFocus = false;
    const hold = new Hold(() => setHeld(false));
    const begin = () => {
      hold.extend();
      setHeld(true);
    };
    const leave = () => {
      if (!isOver && !hasFocus) setHeld(false);
    };
    // Capturing: a grid handles its keys itself.
    const options = { signal: ending.signal, capture: true, passive: true };
    const onPointer = () => {
      isOver = true;
      begin();
    };
    for (const kind of ['pointerenter', 'pointermove', 'pointerdown', 'wheel'] as const) {
      element.addEventListener(kind, onPointer, options);
    }
    element.addEventListener(
      'pointerleave',
      ({ target, pointerType }) => {
        if (target !== element) return;
        isOver = false;
        // The click of a finger follows after it was lifted.
        if (pointerType === 'mouse') leave();
      },
      options,
    );
    element.addEventListener(
      'focusin',
      () => {
        hasFocus = true;
        begin();
      },
      options,
    );
    element.addEventListener('keydown', begin, options);
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        hasFocus = relatedTarget instanceof Node && element.contains(relatedTarget);
        leave();
      },
      options,
    );
    return () => {
      ending.abort();
      hold.close();
    };
  }, [list]);
  return isHeld;
}
