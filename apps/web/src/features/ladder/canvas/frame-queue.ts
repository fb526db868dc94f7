/** What waits to be drawn in this thread, the oldest first. */
const waiting = new Set<() => void>();

/**
 * Draws with one of the next two animation frames. Each frame draws half of what waits, because all ladders change with the same
 * block: drawn together, they would make that frame late and leave the three before the next block without work.
 */
export function requestDrawing(draw: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(drawHalf);
  waiting.add(draw);
}

export function cancelDrawing(draw: () => void): void {
  waiting.delete(draw);
}

function drawHalf(): void {
  const drawn = [...waiting].slice(0, Math.ceil(waiting.size / 2));
  for (const draw of drawn) waiting.delete(draw);
  if (waiting.size > 0) requestAnimationFrame(drawHalf);
  for (const draw of drawn) draw();
}
