import { useEffect, useState } from 'react';

/** Accepts a file dropped anywhere on the page, and shows a hint while one is dragged over it. */
export function DropTarget({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      // Otherwise the browser would navigate to the file.
      event.preventDefault();
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // Between two elements of the page the related target is never null.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      setIsOver(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) onFile(file);
    };
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();
  }, [onFile]);
  if (!isOver) return null;
  return (
    <output
      aria-label="Drop target"
      className="pointer-events-none fixed inset-2 z-40 flex items-center justify-center rounded-4 border-2 border-dashed border-accent bg-surface-1/80 text-15 font-semibold text-strong"
    >
      Drop a recording (.l4rec) to travel in it
    </output>
  );
}
