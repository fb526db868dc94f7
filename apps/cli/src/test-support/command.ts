import { runCli } from '../cli.ts';
import type { TerminalSize } from '../context.ts';

export interface CommandWorld {
  readonly environment?: Readonly<Record<string, string>>;
  readonly envFilePath?: string;
  readonly terminal?: TerminalSize;
  readonly now?: () => number;
}

/** A running command, with its output so far. */
export class RunningCommand {
  readonly #interruption = new AbortController();
  #waiting: readonly (() => void)[] = [];
  #ended = false;
  out = '';
  err = '';
  /** Resolves to the exit code when the command ends. */
  readonly code: Promise<number>;

  constructor(
    words: readonly string[],
    { environment = {}, envFilePath = '/nowhere/.env', terminal, now }: CommandWorld,
  ) {
    const write = (stream: 'out' | 'err') => (text: string) => {
      this[stream] += text;
      this.#wake();
    };
    this.code = runCli(words, {
      environment,
      envFilePath,
      version: '1.2.3',
      out: write('out'),
      err: write('err'),
      now: now ?? Date.now,
      terminal: () => terminal,
      interruption: () => this.#interruption.signal,
    }).finally(() => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** Waits until the standard output matches `pattern`. */
  async printed(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.out)) {
      if (this.#ended) throw new Error(`The command ended without ${pattern}:\n${this.out}${this.err}`);
      await new Promise<void>((resolve) => {
        this.#waiting = [...this.#waiting, resolve];
      });
    }
  }

  /** Simulates Ctrl-C. */
  interrupt(): void {
    this.#interruption.abort();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Runs a command to its end. */
export async function runCommand(words: readonly string[], world: CommandWorld = {}) {
  const command = new RunningCommand(words, world);
  return { code: await command.code, out: command.out, err: command.err };
}
