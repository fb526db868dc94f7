/**
 * A worker that draws on many canvases of the page, each of which has a number. It ends with the last of them; when it fails
 * it ends for all, and each is told.
 */
export class CanvasWorker<Message> {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** What is called when it fails, by the numbers of the canvases. */
  readonly #onFailure = new Map<number, () => void>();
  #added = 0;

  /** `onEnd`: it must not be used any more. */
  constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    worker.addEventListener('error', () => {
      const failed = [...this.#onFailure.values()];
      this.#end();
      for (const onFailure of failed) onFailure();
    });
  }

  /** Returns the number of one more canvas. */
  add(onFailure: () => void): number {
    this.#added += 1;
    this.#onFailure.set(this.#added, onFailure);
    return this.#added;
  }

  /** Calls back for each message of the worker. */
  onMessage(listener: () => void): void {
    this.#worker.addEventListener('message', listener);
  }

  post(message: Message, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Says `last` of a canvas that goes. Not to be called once it was told of a failure. */
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
