import type { WorkerPort } from '../../../book-worker/messages.ts';

export function startWorker(): WorkerPort {
  return new Worker(new URL('./main.ts', import.meta.url), { type: 'module', name: 'l4-book' });
}
