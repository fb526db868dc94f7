/** Questions to the worker that wait for their one response, by serial. */
export class Requests<Value> {
  readonly #waiting = new Map<number, (response: Value) => void>();

  /** The response to the question of this serial, once `send` has sent it. */
  ask(serial: number, send: () => void): Promise<Value> {
    return new Promise((resolve) => {
      this.#waiting.set(serial, resolve);
      send();
    });
  }

  /** The response has come. */
  settle(serial: number, response: Value): void {
    this.#waiting.get(serial)?.(response);
    this.#waiting.delete(serial);
  }

  /** No response will come any more: every question gets this one. */
  settleAll(response: Value): void {
    for (const resolve of this.#waiting.values()) resolve(response);
    this.#waiting.clear();
  }
}
