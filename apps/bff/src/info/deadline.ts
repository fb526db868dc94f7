/**
 * A deadline whose signal aborts when `client` does, or with a TimeoutError after `ms`. It uses a single signal, because
 * each signal costs a tenth of the time of a small call, and a timer that `end` clears, because a running timer retains
 * the call's memory for seconds. Unlike `AbortSignal.any` over `AbortSignal.timeout`, it is never garbage-collected before
 * it aborts (UP-38).
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

  /** Must be called when the wait is over. After that the signal no longer changes. */
  end(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#onClientGone);
  }

  readonly #onClientGone = (): void => {
    clearTimeout(this.#timer);
    this.#controller.abort(this.#client.reason);
  };
}
