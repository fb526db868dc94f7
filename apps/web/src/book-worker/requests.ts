interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly ifGone: unknown;
}

export class Requests {
  readonly #waiting = new Map<number, Waiting>();
  #serials = 0;

  /** Sends a request, and resolves to the response with its serial; to `ifGone` if the worker ends before. */
  send<Value>(post: (serial: number) => void, ifGone: Value): Promise<Value> {
    this.#serials += 1;
    const serial = this.#serials;
    return new Promise((resolve) => {
      this.#waiting.set(serial, { resolve: resolve as Waiting['resolve'], ifGone });
      post(serial);
    });
  }

  settle(serial: number, value: unknown): void {
    this.#waiting.get(serial)?.resolve(value);
    this.#waiting.delete(serial);
  }

  /** The worker has failed or ended: nothing will respond any more. */
  settleAll(): void {
    for (const { resolve, ifGone } of this.#waiting.values()) resolve(ifGone);
    this.#waiting.clear();
  }
}
