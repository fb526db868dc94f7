import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { readDrawTheme } from '../draw/draw-theme.ts';
import { openPainter, type PainterHandle } from '../draw/open-painter.ts';
import { watchSize } from '../draw/watch-size.ts';
import { type Drawing, DrawingPainter } from './drawing-painter.ts';

/** Draws on a live drawing. */
export interface LiveDrawingHandle {
  draw(drawing: Drawing): void;
}

interface LiveDrawingProps {
  /** Classes of its box. */
  readonly look: string;
  readonly ref: Ref<LiveDrawingHandle>;
}

/**
 * A drawing that changes every second, for the eye only: what it shows is in words or digits beside it. It is drawn off the page's
 * thread; the same shapes as SVG elements cost style, layout and paint of the page at every change.
 */
export function LiveDrawing({ look, ref }: LiveDrawingProps) {
  const place = useRef<HTMLSpanElement>(null);
  const painter = useRef<PainterHandle<Drawing>>(null);
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const root = document.documentElement;
    const opened = openPainter(place.current, 'drawing', readDrawTheme(root), DrawingPainter);
    painter.current = opened;
    const stop = watchSize(place.current, (size) => opened.post({ kind: 'size', size }));
    const themes = new MutationObserver(() => opened.post({ kind: 'theme', theme: readDrawTheme(root) }));
    themes.observe(root, { attributeFilter: ['data-theme', 'data-palette'] });
    return () => {
      themes.disconnect();
      stop();
      opened.close();
      painter.current = null;
    };
  }, []);
  useImperativeHandle(ref, () => ({ draw: (scene) => painter.current?.post({ kind: 'paint', scene }) }), []);
  return <span ref={place} aria-hidden className={look} />;
}
