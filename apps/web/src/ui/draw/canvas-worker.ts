/**
 * A worker that draws on several canvases of the page, each with its own number. It terminates with the last canvas. If it
 * fails, it terminates and every canvas is notified.
 */
export class CanvasWorker<Message> {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** Failure callbacks, by canvas number. */
  readonly #onFailure = new Map<number, () => void>();
  #added = 0;

  /** `onEnd` is called when the worker has terminated and must not be used any more. */
  constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    worker.addEventListener('error', () => {
      const failed = [...this.#onFailure.values()];
      this.#end();
      for (const onFailure of failed) onFailure();
    });
  }

  /** Adds a canvas and returns its number. */
  add(onFailure: () => void): number {
    this.#added += 1;
    this.#onFailure.set(this.#added, onFailure);
    return this.#added;
  }

  /** Calls `listener` for each message of the worker. */
  onMessage(listener: () => void): void {
    this.#worker.addEventListener('message', listener);
  }

  post(message: Message, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Removes a canvas and sends `last` for it. Must not be called after its failure callback. */
  remove(id: number, last: Message): void {
    this.#onFailure.delete(id);
    this.post(last);
    if (this.#onFailure.size === 0) this.#end();
  }

  #end(): void {
    this.#onFailure.clear();
    this.#worker.terminate();
    this.#onEnd();
  }
}
