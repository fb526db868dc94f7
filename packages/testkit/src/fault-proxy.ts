import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A TCP proxy on loopback that cuts, stalls or refuses connections, or forwards bytes slowly or late. */
export class FaultProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #refusing = false;
  #stalled = false;
  #delayMs = 0;

  private constructor(targetPort: number) {
    this.#server = createServer({ allowHalfOpen: false }, (near) => this.#join(near, targetPort));
  }

  /** Starts a proxy in front of a loopback port. */
  static async start(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  cut(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Silently forwards nothing. New connections open but stall as well. */
  stall(): void {
    this.#stalled = true;
    for (const pair of this.#pairs) hold(pair);
  }

  /** Forwards what was held back. */
  resume(): void {
    this.#stalled = false;
    for (const { near, far } of this.#pairs) {
      near.resume();
      far.resume();
    }
  }

  /** Breaks new connections at once, until `accept`. */
  refuse(): void {
    this.#refusing = true;
  }

  accept(): void {
    this.#refusing = false;
  }

  /** From here on, every byte of the far side is forwarded this much later, in order. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, targetPort: number): void {
    if (this.#refusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    const pair = { near, far };
    this.#pairs.add(pair);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.on('data', (data: Buffer) => this.#pass(near, far, data));
    far.on('data', (data: Buffer) => {
      if (this.#delayMs === 0) this.#pass(far, near, data);
      else this.#later(() => this.#pass(far, near, data));
    });
    // If one side ends or breaks, so does the other. The error itself adds nothing to 'close'.
    near.on('error', () => near.destroy());
    far.on('error', () => far.destroy());
    near.on('close', () => {
      this.#pairs.delete(pair);
      far.end();
    });
    far.on('close', () => {
      this.#pairs.delete(pair);
      near.end();
    });
    if (this.#stalled) hold(pair);
  }

  /** Forwards bytes no faster than they are read. */
  #pass(from: Socket, to: Socket, data: Buffer): void {
    if (to.destroyed || to.write(data)) return;
    from.pause();
    to.once('drain', () => {
      if (!this.#stalled) from.resume();
    });
  }

  #later(run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, this.#delayMs);
    this.#timers.add(timer);
  }
}

function hold({ near, far }: Pair): void {
  near.pause();
  far.pause();
}
