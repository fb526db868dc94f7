import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { openPainter, type PainterHandle } from '../draw/open-painter.ts';
import { watchSize } from '../draw/watch-size.ts';
import { type Drawing, DrawingPainter } from './drawing-painter.ts';

/** Draws on a live drawing. */
export interface LiveDrawingHandle {
  draw(drawing: Drawing): void;
}

/**
 * A drawing that changes every second and fills the positioned box around it. It is for the eye only: that box says in words or
 * digits what matters. It is drawn off the page's thread; the same shapes as SVG elements cost style, layout and paint of the page
 * at every change.
 */
export function LiveDrawing({ ref }: { readonly ref: Ref<LiveDrawingHandle> }) {
  const place = useRef<HTMLSpanElement>(null);
  const painter = useRef<PainterHandle<Drawing>>(null);
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const opened = openPainter(place.current, 'drawing', DrawingPainter);
    painter.current = opened;
    const stop = watchSize(place.current, (size) => opened.post({ kind: 'size', size }));
    return () => {
      stop();
      opened.close();
      painter.current = null;
    };
  }, []);
  useImperativeHandle(ref, () => ({ draw: (scene) => painter.current?.post({ kind: 'paint', scene }) }), []);
  return <span ref={place} aria-hidden className="absolute inset-0" />;
}
