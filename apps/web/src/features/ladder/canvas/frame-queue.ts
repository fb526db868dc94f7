/** What waits for an animation frame of this thread, the oldest first. */
const waiting = new Set<() => void>();

/**
 * Runs a task with one of the next two animation frames. Each frame runs half of what waits, because all ladders change with the
 * same block: drawn together, they would make that frame late and leave the three before the next block without work.
 */
export function nextFrame(task: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(runHalf);
  waiting.add(task);
}

export function cancelFrame(task: () => void): void {
  waiting.delete(task);
}

/** How long a task waits for an animation frame: a page that is not drawn has none. */
const FRAME_WAIT_MS = 50;

/** The same for a task that must run even while nothing is drawn. */
export function nextFrameOrLater(task: () => void): void {
  const run = () => {
    cancelFrame(run);
    clearTimeout(timer);
    task();
  };
  const timer = setTimeout(run, FRAME_WAIT_MS);
  nextFrame(run);
}

function runHalf(): void {
  const due = [...waiting].slice(0, Math.ceil(waiting.size / 2));
  for (const task of due) waiting.delete(task);
  if (waiting.size > 0) requestAnimationFrame(runHalf);
  for (const task of due) task();
}
