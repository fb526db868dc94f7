import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

type Params = Readonly<Record<string, unknown>>;

interface DevtoolsMessage {
  readonly id?: number;
  /** Set on an event, which has no id. */
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** An event in a trace; times in µs. */
export interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  /** Of a task: its duration, and its thread's CPU time during it. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A headless Chromium, controlled over its debugging pipe: enough of the protocol to measure a page. */
export class Chromium implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #input: Writable;
  readonly #waiting = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  readonly #listening = new Map<string, (params: Params) => void>();
  /** The sessions of the tabs' workers. */
  readonly #workers: { readonly tab: string; readonly name: string; readonly session: string }[] = [];
  #workerScript = '';
  #lastId = 0;
  #rest = '';

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    this.#input = child.stdio[3] as Writable;
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  /** With `port`, other tools can connect to it too. */
  static async launch(path: string, options: { readonly port?: boolean } = {}): Promise<Chromium> {
    const profile = await mkdtemp(join(tmpdir(), 'l4desk-chromium-'));
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--remote-debugging-pipe',
      '--no-first-run',
      '--disable-extensions',
      '--disable-background-networking',
      `--user-data-dir=${profile}`,
      ...(options.port === true ? ['--remote-debugging-port=0'] : []),
      'about:blank',
    ];
    return new Chromium(spawn(path, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }), profile);
  }

  /** The port of its debugging protocol, which it writes to a file when it listens. */
  async port(): Promise<number> {
    await this.send('Browser.getVersion');
    return Number((await readFile(join(this.#profile, 'DevToolsActivePort'), 'utf8')).split('\n')[0]);
  }

  /** Opens a tab of this size, with scripts that run before those of the page and of its workers. */
  async open(width: number, height: number, script: string, workerScript = ''): Promise<Tab> {
    this.#workerScript = workerScript;
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', width, height, newWindow: true });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(this, String(sessionId), String(targetId));
    await tab.send('Page.enable');
    await tab.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await tab.send('Emulation.setDeviceMetricsOverride', metrics);
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
    return tab;
  }

  /** The running worker of a tab with this name. */
  worker(tab: string, name: string): Session {
    const found = this.#workers.findLast((worker) => worker.tab === tab && worker.name === name);
    if (found === undefined) throw new Error(`the page has no worker ${name}`);
    return new Session(this, found.session);
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Resolves to the next event of this name. */
  next(method: string): Promise<Params> {
    return new Promise((resolve) => this.#listening.set(method, resolve));
  }

  /** Returns the trace events of these categories while a call runs. */
  async traced(categories: readonly string[], call: () => Promise<void>): Promise<readonly TraceEvent[]> {
    const traceConfig = { includedCategories: categories };
    await this.send('Tracing.start', { transferMode: 'ReturnAsStream', traceConfig });
    await call();
    const complete = this.next('Tracing.tracingComplete');
    await this.send('Tracing.end');
    const { stream: handle } = await complete;
    let text = '';
    for (let eof = false; !eof; ) {
      const piece = await this.send('IO.read', { handle, size: 2 ** 20 });
      text += String(piece.data);
      eof = piece.eof === true;
    }
    await this.send('IO.close', { handle });
    return (JSON.parse(text) as { readonly traceEvents: readonly TraceEvent[] }).traceEvents;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill();
    await closed;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A worker waits until it is told to run. */
  #adopt(tab: string, { sessionId, targetInfo }: AttachedWorker): void {
    this.#workers.push({ tab, name: targetInfo.title, session: sessionId });
    void this.send('Runtime.evaluate', { expression: this.#workerScript }, sessionId);
    void this.send('Runtime.runIfWaitingForDebugger', {}, sessionId);
  }

  #take(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) {
      const { id, method, params, sessionId: tab, result, error } = JSON.parse(message) as DevtoolsMessage;
      if (method === 'Target.attachedToTarget' && tab !== undefined)
        this.#adopt(tab, params as unknown as AttachedWorker);
      if (method !== undefined) {
        this.#listening.get(method)?.(params ?? {});
        this.#listening.delete(method);
      }
      const waiting = id === undefined ? undefined : this.#waiting.get(id);
      if (id === undefined || waiting === undefined) continue;
      this.#waiting.delete(id);
      if (error === undefined) waiting.resolve(result ?? {});
      else waiting.reject(new Error(error.message));
    }
  }
}

interface AttachedWorker {
  readonly sessionId: string;
  readonly targetInfo: { readonly title: string };
}

/** A page or a worker. */
export class Session {
  readonly browser: Chromium;
  readonly id: string;

  constructor(browser: Chromium, id: string) {
    this.browser = browser;
    this.id = id;
  }

  send(method: string, params: Params = {}): Promise<Params> {
    return this.browser.send(method, params, this.id);
  }

  /** Returns the value of an expression; awaits a promise. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Bytes of its objects and buffers after garbage was collected. */
  async heapBytes(): Promise<number> {
    await this.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await this.send('Runtime.getHeapUsage');
    return Number(usedSize) + Number(embedderHeapUsedSize) + Number(backingStorageSize);
  }
}

/** One tab of the browser. */
export class Tab extends Session {
  readonly #target: string;

  constructor(browser: Chromium, session: string, target: string) {
    super(browser, session);
    this.#target = target;
  }

  worker(name: string): Session {
    return this.browser.worker(this.id, name);
  }

  /** Waits until an expression is true, checking it every 20 ms. */
  async until(expression: string, deadlineMs = 60_000): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    while (
      !(await this.evaluate<boolean>(`new Promise((done) => setTimeout(() => done(Boolean(${expression})), 20))`))
    ) {
      if (Date.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${expression}`);
    }
  }

  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async close(): Promise<void> {
    await this.browser.send('Target.closeTarget', { targetId: this.#target });
  }
}
