import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The folder of the package. Benchmarks run as bundles in `node_modules/.cache/bench`. */
export const PACKAGE = join(import.meta.dirname, '..', '..', '..');

/** A part of a benchmark in a separate process, so that its work does not count as the service's. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;

  /** Runs the source of an ES module, which can import the package's dependencies and communicates over IPC. */
  constructor(module: string) {
    this.#process = spawn(process.execPath, ['--input-type=module', '--eval', module], {
      cwd: PACKAGE,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process.setMaxListeners(0);
  }

  /** Sends a message and resolves with the next message received. */
  ask<T>(message: object): Promise<T> {
    const response = this.next<T>();
    this.#process.send(message);
    return response;
  }

  next<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`a part of the benchmark ended with ${code}`));
      this.#process.once('exit', onExit);
      this.#process.once('message', (message) => {
        this.#process.off('exit', onExit);
        resolve(message as T);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#process.connected) return;
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.disconnect();
    await gone;
  }
}
