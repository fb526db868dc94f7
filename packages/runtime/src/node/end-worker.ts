import type { Worker } from 'node:worker_threads';

/** Asks a worker thread to exit and waits until it has; terminates it after `withinMs`. */
export async function endWorker(worker: Worker, ask: () => void, withinMs: number): Promise<void> {
  // A thread that has exited has the id -1 and will not emit `exit` again.
  if (worker.threadId === -1) return;
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  ask();
  const cut = setTimeout(() => void worker.terminate(), withinMs);
  await exited;
  clearTimeout(cut);
}
