import { RawSocket } from './spec-client/raw-socket.ts';

/** A message of the service, as text and as JSON. */
export interface Heard {
  readonly text: string;
  readonly channel: string;
  readonly data: unknown;
}

/** How a connection ended. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** One raw connection to the stream, message by message, for tests of the protocol itself. */
export class StreamProbe implements AsyncDisposable {
  /** Everything received, in order. */
  readonly heard: Heard[] = [];
  #socket: RawSocket | undefined;
  #closed: Closed | undefined;
  #at = 0;
  #wake = () => {};

  private constructor() {}

  /** Opens a connection at the full URL, including the key. Rejects with UpgradeRefused. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamProbe> {
    const probe = new StreamProbe();
    probe.#socket = await RawSocket.open(
      url,
      {
        onText: (text) => probe.#receive(text),
        onClose: (code, reason) => probe.#close({ code, reason }),
        onViolation: (what) => probe.#receive(JSON.stringify({ channel: 'violation', data: what })),
      },
      headers,
    );
    return probe;
  }

  get socket(): RawSocket {
    if (this.#socket === undefined) throw new Error('the probe is not open');
    return this.#socket;
  }

  say(message: unknown): void {
    this.socket.sendText(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves with the next message that `wanted` accepts, already received or still to come. Skips those before it. */
  async next(wanted: (message: Heard) => boolean = () => true): Promise<Heard> {
    for (;;) {
      const message = this.heard[this.#at];
      if (message === undefined) {
        if (this.#closed !== undefined) throw new Error(`closed with ${this.#closed.code} ${this.#closed.reason}`);
        await this.#change();
        continue;
      }
      this.#at += 1;
      if (wanted(message)) return message;
    }
  }

  /** Resolves with the next message that is not a batch: the response to a request. */
  respond(): Promise<Heard> {
    return this.next(({ channel }) => channel !== 'l4BookUpdates');
  }

  /** Sends a message and resolves with the service's response. */
  ask(message: unknown): Promise<Heard> {
    this.say(message);
    return this.respond();
  }

  /** Waits for the end of the connection. */
  async closed(): Promise<Closed> {
    while (this.#closed === undefined) await this.#change();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    await this.closed();
  }

  #receive(text: string): void {
    const { channel, data } = JSON.parse(text) as { readonly channel: string; readonly data?: unknown };
    this.heard.push({ text, channel, data });
    this.#wake();
  }

  #close(closed: Closed): void {
    this.#closed = closed;
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        before();
        resolve();
      };
    });
  }
}
