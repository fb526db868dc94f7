/** Questions to the worker that wait for their one answer, by serial. */
export class Requests<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  /** The answer to the question of this serial, once `send` has sent it. */
  ask(serial: number, send: () => void): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.set(serial, resolve);
      send();
    });
  }

  /** The answer has come. */
  settle(serial: number, answer: Answer): void {
    this.#waiting.get(serial)?.(answer);
    this.#waiting.delete(serial);
  }

  /** No answer will come any more: every question gets this one. */
  settleAll(answer: Answer): void {
    for (const resolve of this.#waiting.values()) resolve(answer);
    this.#waiting.clear();
  }
}
