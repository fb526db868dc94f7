import { type RefObject, useEffect, useState } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The inner width and height of an element, in px; 0 until it is laid out. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = measured;
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    });
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
