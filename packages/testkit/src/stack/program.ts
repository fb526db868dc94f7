import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How long a program may take to print an expected line, or to end after it was told to. */
const DEADLINE_MS = 300_000;

/** The newest lines, kept for failure reports. */
const KEPT_LINES = 2_000;

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** The whole environment except PATH and HOME, so that none of the developer's own settings reaches a test. */
  readonly env: Readonly<Record<string, string>>;
  /** The working directory. A `.env` file there would be read. */
  readonly cwd: string;
  /** Runs with the lowest priority, so that what is measured next to it gets the processors first. */
  readonly inBackground?: boolean;
}

/** A built Node program under test, with every line it has printed. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<ProgramResult>;
  readonly #lines: Line[] = [];
  readonly #waiting = new Set<() => void>();
  /** It has ended, and all its output was read. */
  #isOver = false;

  constructor(path: string, { args = [], env, cwd, inBackground = false }: ProgramOptions) {
    const { PATH = '', HOME = cwd } = process.env;
    const command = [process.execPath, path, ...args];
    // `os.setPriority` would apply to one thread only.
    const [file = '', ...rest] = inBackground ? ['nice', '-n', '19', ...command] : command;
    this.#child = spawn(file, rest, {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const source of ['stdout', 'stderr'] as const) {
      const stream = this.#child[source];
      if (stream === null) throw new Error(`${source} of ${path} is not piped`);
      createInterface({ input: stream }).on('line', (text) => this.#take({ source, text }));
    }
    this.#ended = once(this.#child, 'close').then(([code]) => {
      this.#isOver = true;
      this.#notify();
      return { code: code as number | null, stdout: this.#text('stdout'), stderr: this.#text('stderr') };
    });
    // A program that cannot be started rejects here. Waiters are notified.
    this.#ended.catch(() => {
      this.#isOver = true;
      this.#notify();
    });
  }

  /** Everything printed so far (the newest lines), both streams in order of arrival. */
  get log(): string {
    return this.#lines.map(({ source, text }) => `${source === 'stdout' ? '>' : ' '} ${text}`).join('\n');
  }

  /** Resolves with the program's result when it has ended on its own. */
  get ended(): Promise<ProgramResult> {
    return this.#ended;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves with the first match in a line of standard output, already printed or still to come. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#line('stdout', (text) => pattern.exec(text) ?? undefined, String(pattern));
  }

  /** Resolves with the first JSON log line with this message, as an object. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#line('stderr', (text) => logLine(text, message), `the log line "${message}"`);
  }

  /** Ends the program and waits until it is gone: gracefully first, by force after the deadline. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<ProgramResult> {
    if (!this.running) return this.#ended;
    this.#child.kill(signal);
    const force = setTimeout(() => this.#child.kill('SIGKILL'), DEADLINE_MS);
    try {
      return await this.#ended;
    } finally {
      clearTimeout(force);
    }
  }

  /** Pauses the program like a machine that hangs, or resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #take(line: Line): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    this.#notify();
  }

  #notify(): void {
    for (const check of this.#waiting) check();
  }

  #text(source: Line['source']): string {
    return this.#lines
      .filter((line) => line.source === source)
      .map((line) => `${line.text}\n`)
      .join('');
  }

  #line<T>(source: Line['source'], read: (text: string) => T | undefined, wanted: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(late);
        this.#waiting.delete(check);
        finish();
      };
      const check = () => {
        for (const line of this.#lines) {
          const found = line.source === source ? read(line.text) : undefined;
          if (found !== undefined) return settle(() => resolve(found));
        }
        if (this.#isOver) settle(() => reject(new Error(`The program ended without ${wanted}:\n${this.log}`)));
      };
      const late = setTimeout(
        () => settle(() => reject(new Error(`${wanted} did not come:\n${this.log}`))),
        DEADLINE_MS,
      );
      this.#waiting.add(check);
      check();
    });
  }
}

interface Line {
  readonly source: 'stdout' | 'stderr';
  readonly text: string;
}

function logLine(text: string, message: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{') || !text.includes(message)) return undefined;
  const entry = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return entry.msg === message ? entry : undefined;
}
