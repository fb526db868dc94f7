import { Worker } from 'node:worker_threads';
import { type Backoff, backoffMs } from '../backoff.ts';
import type { Log } from '../log.ts';

/** A worker that ran for this long was healthy; its exit counts as the first failure. */
const STABLE_MS = 60_000;

interface SupervisedWorkerSettings {
  readonly url: URL;
  readonly workerData: unknown;
  readonly name: string;
  readonly title: string;
  readonly restart: Backoff;
}

interface SupervisedWorkerEvents<FromWorker> {
  /** A worker was started, for the first time or again; it has received nothing that earlier ones have. */
  readonly started: () => void;
  readonly message: (message: FromWorker) => void;
  readonly exited: () => void;
}

/** A worker thread that is restarted with growing pauses when it exits, from `start` until `close`. */
export class SupervisedWorker<ToWorker, FromWorker> {
  readonly #settings: SupervisedWorkerSettings;
  readonly #log: Log;
  readonly #events: SupervisedWorkerEvents<FromWorker>;
  /** The running worker; undefined before `start` and during the pause before a restart. */
  #worker: Worker | undefined;
  #startedAt = 0;
  /** Consecutive exits without a healthy run in between. */
  #failures = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: SupervisedWorkerSettings, log: Log, events: SupervisedWorkerEvents<FromWorker>) {
    this.#settings = settings;
    this.#log = log;
    this.#events = events;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  start(): void {
    if (this.#worker !== undefined || this.#closed) return;
    const { url, workerData, name, title } = this.#settings;
    const worker = new Worker(url, { workerData, name });
    this.#worker = worker;
    this.#startedAt = performance.now();
    worker.on('message', (message: FromWorker) => {
      if (worker === this.#worker) this.#events.message(message);
    });
    worker.on('error', (error) => this.#log.error({ err: error }, `${title} failed`));
    worker.on('exit', (code) => {
      if (worker === this.#worker && !this.#closed) this.#onExit(code);
    });
    this.#events.started();
  }

  /** Sends a message to the running worker; without one it has no effect. */
  send(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** Asks the worker to exit and waits until it has; terminates it after `withinMs`. It is not restarted. */
  async close(request: ToWorker, withinMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    // A thread that has exited has the id -1 and will not emit `exit` again.
    if (worker === undefined || worker.threadId === -1) return;
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    this.send(request);
    const cut = setTimeout(() => void worker.terminate(), withinMs);
    await exited;
    clearTimeout(cut);
  }

  /** The restart loop: runs until closed. Consecutive failures wait longer each time, up to a maximum. */
  #onExit(code: number): void {
    this.#worker = undefined;
    this.#failures = performance.now() - this.#startedAt >= STABLE_MS ? 1 : this.#failures + 1;
    const waitMs = backoffMs(this.#failures, this.#settings.restart, Math.random);
    this.#log.error({ code, waitMs: Math.round(waitMs) }, `${this.#settings.title} exited, restarting`);
    this.#events.exited();
    clearTimeout(this.#restartTimer);
    this.#restartTimer = setTimeout(() => this.start(), waitMs);
  }
}
