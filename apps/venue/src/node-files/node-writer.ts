import { appendFileSync, existsSync, mkdirSync, renameSync, truncateSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SourceBlock } from '../feed/source.ts';
import type { NodeFault } from './node-fault.ts';
import { linesOf, NODE_STREAMS, type NodeFilesKind, type NodeLines, type NodeStream } from './node-lines.ts';

const FOLDERS = {
  diffs: 'node_raw_book_diffs',
  statuses: 'node_order_statuses',
  fills: 'node_fills',
} as const satisfies Record<NodeStream, string>;

const HOUR_MS = 3_600_000;

/** One in this many rows of a block's statuses is written with the next block, so that the streams run ahead of each other. */
const HELD_SHARE = 3;

/** Characters of a file from which what is collected is written. */
const COLLECTED_MAX = 1 << 20;

/** Writes blocks into a node's hourly files and applies their faults. */
export class NodeWriter {
  readonly #directory: string;
  readonly #kind: NodeFilesKind;
  readonly #coins: readonly string[];
  readonly #faults: NodeFault[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Text to write before the next text of a stream. */
  readonly #held: Record<NodeStream, string> = { diffs: '', statuses: '', fills: '' };
  /** Rows to write after the first row of the next block. */
  readonly #late: Record<NodeStream, string> = { diffs: '', statuses: '', fills: '' };
  readonly #paths = new Map<NodeStream, string>();
  /** Text by its file that is written at the end of the current call: a pause of the simulation can leave hundreds of thousands of blocks quiet. */
  readonly #collected = new Map<string, string>();
  #hoursAhead = 0;
  #isStalled = false;
  #stalled: SourceBlock[] = [];
  #isAway = false;

  constructor(directory: string, kind: NodeFilesKind, coins: readonly string[]) {
    this.#directory = resolve(directory);
    this.#kind = kind;
    this.#coins = coins;
    this.#makeFolders();
  }

  /**
   * Writes synchronously, so that a step is complete when it returns. Quiet blocks that the source leaves out have their lines, as
   * on a node.
   */
  write(block: SourceBlock): void {
    const { height, time, quiet = 0 } = block;
    for (let left = quiet; left > 0; left -= 1)
      this.#write({ height: height - left, time: time - left, coin: () => null });
    this.#write(block);
    this.#flush();
  }

  #write(block: SourceBlock): void {
    if (this.#isStalled) {
      this.#stalled.push(block);
      return;
    }
    if (this.#takes('skip')) return;
    const lines = linesOf(block, this.#coins, this.#kind);
    for (const stream of NODE_STREAMS) this.#collect(stream, block.time, this.#textOf(stream, lines));
    if ([...this.#collected.values()].some((text) => text.length >= COLLECTED_MAX)) this.#flush();
  }

  apply(fault: NodeFault): void {
    switch (fault.effect) {
      case 'rotate':
        this.#hoursAhead += 1;
        return;
      case 'truncate':
        for (const path of this.#paths.values()) if (existsSync(path)) truncateSync(path, 0);
        return;
      case 'vanish':
        if (this.#isAway) return;
        this.#isAway = true;
        renameSync(this.#directory, this.#away);
        this.#after(fault.ms, () => this.#return());
        return;
      case 'stall':
        this.#isStalled = true;
        this.#after(fault.ms, () => this.#goOn());
        return;
      default:
        this.#faults.push(fault);
    }
  }

  /** Ends all faults. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#faults.length = 0;
    if (this.#isAway) this.#return();
    this.#goOn();
  }

  #textOf(stream: NodeStream, lines: NodeLines): string {
    const rows = lines[stream].map((line) => `${line}\n`);
    const before = this.#held[stream];
    this.#held[stream] = '';
    if (rows.length > 0 && this.#takes('break', stream)) {
      const [first = ''] = rows;
      return `${before}${first.slice(0, first.length / 2)}\n${rows.slice(1).join('')}`;
    }
    if (rows.length > 0 && this.#takes('cut', stream)) {
      const text = rows.join('');
      this.#held[stream] = text.slice(text.length / 2);
      return before + text.slice(0, text.length / 2);
    }
    if (this.#kind === 'by_block') return before + rows.join('');
    if (rows.length > 1 && this.#takes('late', stream)) {
      this.#late[stream] = rows.pop() ?? '';
      return before + rows.join('');
    }
    const late = this.#late[stream];
    this.#late[stream] = '';
    const [first = '', ...rest] = rows;
    const held = stream === 'statuses' ? Math.floor(rest.length / HELD_SHARE) : 0;
    this.#held[stream] = rest.slice(rest.length - held).join('');
    return before + first + late + rest.slice(0, rest.length - held).join('');
  }

  #collect(stream: NodeStream, time: number, text: string): void {
    const path = join(this.#root, this.#folderOf(stream), 'hourly', ...hourOf(time + this.#hoursAhead * HOUR_MS));
    this.#paths.set(stream, path);
    this.#collected.set(path, (this.#collected.get(path) ?? '') + text);
  }

  #flush(): void {
    for (const [path, text] of this.#collected) {
      this.#collected.delete(path);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, text);
    }
  }

  /** Whether a fault with this effect applies now; consumes it. */
  #takes(effect: 'skip' | 'cut' | 'break' | 'late', stream?: NodeStream): boolean {
    const at = this.#faults.findIndex(
      (fault) => fault.effect === effect && (!('stream' in fault) || fault.stream === stream),
    );
    const fault = this.#faults[at];
    if (fault === undefined) return false;
    if (fault.effect === 'skip' && fault.blocks > 1) this.#faults[at] = { ...fault, blocks: fault.blocks - 1 };
    else this.#faults.splice(at, 1);
    return true;
  }

  get #away(): string {
    return `${this.#directory}.away`;
  }

  get #root(): string {
    return this.#isAway ? this.#away : this.#directory;
  }

  #return(): void {
    renameSync(this.#away, this.#directory);
    this.#isAway = false;
  }

  #goOn(): void {
    const blocks = this.#stalled;
    this.#isStalled = false;
    this.#stalled = [];
    for (const block of blocks) this.#write(block);
    this.#flush();
  }

  #after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  #folderOf(stream: NodeStream): string {
    return `${FOLDERS[stream]}_${this.#kind}`;
  }

  #makeFolders(): void {
    for (const stream of NODE_STREAMS)
      mkdirSync(join(this.#directory, this.#folderOf(stream), 'hourly'), { recursive: true });
  }
}

/** The day and the hour of a time, as a node names its folders and files. */
function hourOf(time: number): readonly [day: string, hour: string] {
  const date = new Date(time);
  return [date.toISOString().slice(0, 10).replaceAll('-', ''), String(date.getUTCHours())];
}
