import type { Worker } from 'node:worker_threads';

/** Asks a thread to end, and waits until it has; one that takes longer than `withinMs` is cut off. */
export async function endWorker(worker: Worker, ask: () => void, withinMs: number): Promise<void> {
  // A thread that has ended has no id any more, and says so only once.
  if (worker.threadId === -1) return;
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  ask();
  const cut = setTimeout(() => void worker.terminate(), withinMs);
  await exited;
  clearTimeout(cut);
}
