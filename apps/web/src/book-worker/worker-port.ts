import type { FromWorker, ToWorker } from './messages.ts';

/** The part of a Worker that the page uses. */
export interface WorkerPort {
  postMessage(message: ToWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<FromWorker>) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void;
  terminate(): void;
}
