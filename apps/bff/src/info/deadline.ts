/**
 * The end of a wait: its signal aborts when `client` does, or with a TimeoutError after this many ms. It is one signal with a
 * timer that `end` clears, for each signal costs a small call a tenth of its time, and a timer that is left to run keeps the
 * call's memory for seconds. Unlike `AbortSignal.any` over `AbortSignal.timeout` it is never collected before it aborts (UP-38).
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, client: AbortSignal) {
    this.#client = client;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError'));
    }, ms).unref();
    if (client.aborted) this.#onClientGone();
    else client.addEventListener('abort', this.#onClientGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** To be called when nothing waits any more: from then on the signal stays as it is. */
  end(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#onClientGone);
  }

  readonly #onClientGone = (): void => {
    clearTimeout(this.#timer);
    this.#controller.abort(this.#client.reason);
  };
}
