import type { SystemClock } from '@l4desk/runtime/node';

/** Sends texts in order, at most `perMinute` in any minute; the rest is queued. */
export class PacedSender {
  readonly #perMinute: number;
  readonly #clock: Pick<SystemClock, 'now' | 'after'>;
  readonly #send: (text: string) => void;
  readonly #waiting: string[] = [];
  #allowance: number;
  #at: number;
  #cancel: (() => void) | null = null;

  constructor(perMinute: number, clock: Pick<SystemClock, 'now' | 'after'>, send: (text: string) => void) {
    // Half may go as a burst and half over the minute, so never more than `perMinute` within any minute.
    this.#perMinute = perMinute / 2;
    this.#clock = clock;
    this.#send = send;
    this.#allowance = this.#perMinute;
    this.#at = clock.now();
  }

  send(text: string): void {
    this.#waiting.push(text);
    this.#flush();
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#cancel?.();
    this.#cancel = null;
  }

  #flush(): void {
    const now = this.#clock.now();
    this.#allowance = Math.min(this.#perMinute, this.#allowance + ((now - this.#at) / 60_000) * this.#perMinute);
    this.#at = now;
    while (this.#allowance >= 1) {
      const text = this.#waiting.shift();
      if (text === undefined) return;
      this.#allowance -= 1;
      this.#send(text);
    }
    if (this.#waiting.length === 0) return;
    this.#cancel ??= this.#clock.after(Math.ceil(60_000 / this.#perMinute), () => {
      this.#cancel = null;
      this.#flush();
    });
  }
}
