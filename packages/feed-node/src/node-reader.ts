import { join } from 'node:path';
import type { NodeFiles } from '@l4desk/protocol/upstream';
import type { Log } from '@l4desk/runtime';
import { afterReading, pause, type SystemClock } from '@l4desk/runtime/node';
import { BlockJoiner } from './block-joiner.ts';
import { FileTail } from './file-tail.ts';
import type { JoinerEvents, LineJoiner } from './joiner.ts';
import { findFiles, folderOf, hasFolder, missingFolder, type NodeStream, optionsFor } from './layout.ts';
import { isQuiet, type NodeLine, readLine } from './node-line.ts';
import { StreamJoiner } from './stream-joiner.ts';

export interface ReaderSettings {
  readonly dataDir: string;
  readonly pollMs: number;
  readonly checkMs: number;
  /** How long a block waits for the line of its fills, in ms. */
  readonly fillsWithinMs: number;
}

export interface ReaderEvents extends JoinerEvents {
  found(files: NodeFiles): void;
  /** Why there are no files; reported when the reason changes. */
  notFound(problem: string): void;
  fills(line: NodeLine): void;
  /** Fills up to the block `height` may be lost; `detail` says why. */
  fillsMissing(height: number, detail: string): void;
  /** Bytes of a file were read. */
  read(bytes: number): void;
  /** The lines of a stream agree with each other, but not with those before: whoever reads has to begin again. */
  contradicted(problem: string): void;
}

export interface ReaderDeps {
  readonly clock: SystemClock;
  readonly log: Log;
}

/** Blocks without a line of fills after which the node is assumed to write none. */
const FILLS_BEHIND_BLOCKS = 150;

/** How far the number of a line may be from the previous one, beyond a block for each ms between their times. */
const BLOCKS_APART_MAX = 1_000;

/** How far the clock of the chain may be ahead of this machine's. */
const CLOCKS_APART_MS = 60_000;

/** Lines in a row that agree with each other after which they are believed instead of those before. */
const CONTRADICTING_LINES = 100;

const STREAMS: readonly NodeStream[] = ['diffs', 'statuses', 'fills'];

/** How often to check whether there is a folder of fills. */
const CHECK_FILLS_MS = 1_000;

type Place = Pick<NodeLine, 'height' | 'time'>;

/** Reads a node's files from their end, and joins their lines into blocks (NODE-1 to NODE-4). */
export class NodeReader {
  readonly #settings: ReaderSettings;
  readonly #events: ReaderEvents;
  readonly #deps: ReaderDeps;
  #joiner: LineJoiner | null = null;
  #tails: FileTail[] = [];
  readonly #last: Partial<Record<NodeStream, Omit<NodeLine, 'bytes'>>> = {};
  /** The lines of each stream that were refused in a row: how many, and the last one. */
  readonly #refused: Partial<Record<NodeStream, { readonly lines: number; readonly last: Place }>> = {};
  #files: NodeFiles | null = null;
  #hasFills = true;
  /** The first block whose fills should have been read. */
  #fillsSince: number | null = null;
  /** Fills of blocks below this one were reported. */
  #fillsFrom = 0;
  #problem: string | null = null;
  /** Whether a call of `settle` is scheduled. */
  #settles = false;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(settings: ReaderSettings, events: ReaderEvents, deps: ReaderDeps) {
    this.#settings = settings;
    this.#events = events;
    this.#deps = deps;
    this.#running = this.#run();
  }

  get height(): number | null {
    return this.#joiner?.height ?? null;
  }

  /** Why the node seems to write no fills; null if it does. */
  get fillsProblem(): string | null {
    if (this.#files === null) return null;
    if (!this.#hasFills) return missingFolder('fills', this.#files);
    // In other files a missing line means that there were no fills.
    if (this.#files !== 'by_block' || this.#joiner?.leavesOutQuiet !== false) return null;
    const last = Math.max(this.#last.fills?.height ?? 0, this.#fillsSince ?? Number.POSITIVE_INFINITY);
    const behind = (this.#last.diffs?.height ?? 0) - last;
    if (behind < FILLS_BEHIND_BLOCKS) return null;
    return `${folderOf('fills', 'by_block')} has no lines for the last blocks: start the node with ${optionsFor('fills', 'by_block')}`;
  }

  /** The folders of diffs and statuses of which no line was read since this time, and the options that write them. */
  silentSince(time: number): readonly string[] {
    const files = this.#files;
    if (files === null) return [];
    const silent = STREAMS.filter((stream) => stream !== 'fills' && (this.#last[stream]?.readAt ?? 0) <= time);
    return silent.map((stream) => `${folderOf(stream, files)} (${optionsFor(stream, files)})`);
  }

  /** Statuses that were read before the diffs of their blocks. */
  get statusesAhead(): readonly NodeLine[] {
    return this.#joiner?.statusesAhead() ?? [];
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  /** Runs until `close`. */
  async #run(): Promise<void> {
    while (!this.#end.signal.aborted && this.#joiner === null) {
      const found = await findFiles(this.#settings.dataDir);
      if (this.#end.signal.aborted) return;
      if (found.kind === 'found') await this.#start(found.files);
      else {
        if (found.problem !== this.#problem) this.#events.notFound(found.problem);
        this.#problem = found.problem;
        await pause(this.#deps.clock, this.#settings.checkMs, this.#end.signal);
      }
    }
    while (!this.#end.signal.aborted) {
      await pause(this.#deps.clock, CHECK_FILLS_MS, this.#end.signal);
      if (this.#files !== null) this.#hasFills = await hasFolder(this.#settings.dataDir, 'fills', this.#files);
    }
    await Promise.all(this.#tails.map((tail) => tail.close()));
  }

  async #start(files: NodeFiles): Promise<void> {
    const { dataDir, fillsWithinMs } = this.#settings;
    this.#hasFills = await hasFolder(dataDir, 'fills', files);
    if (this.#end.signal.aborted) return;
    const joiner = files === 'by_block' ? new BlockJoiner(this.#events, fillsWithinMs) : new StreamJoiner(this.#events);
    this.#joiner = joiner;
    this.#files = files;
    this.#tails = [
      this.#tail('diffs', files, () => joiner.hasRoom('diffs')),
      this.#tail('statuses', files, () => joiner.hasRoom('statuses')),
      this.#tail('fills', files, () => true),
    ];
    await Promise.all(this.#tails.map(({ ready }) => ready));
    if (!this.#end.signal.aborted) this.#events.found(files);
  }

  #tail(stream: NodeStream, files: NodeFiles, mayRead: () => boolean): FileTail {
    const { dataDir, pollMs, checkMs } = this.#settings;
    const { clock, log } = this.#deps;
    const folder = folderOf(stream, files);
    return new FileTail(
      { root: join(dataDir, folder), pollMs, checkMs },
      {
        line: (bytes) => this.#onLine(stream, files, bytes),
        read: (bytes) => this.#events.read(bytes),
        problem: (problem, mayHaveLost) => {
          log.warn({ folder, problem }, 'node files');
          if (mayHaveLost) this.#onDamaged(stream, problem);
        },
      },
      {
        mayRead,
        // One line is a whole block there, so nothing can be missing between consecutive numbers.
        continues: (line) => files === 'by_block' && this.#isNext(stream, readLine(line)),
        clock,
      },
    );
  }

  #onLine(stream: NodeStream, files: NodeFiles, bytes: Buffer): void {
    if (this.#end.signal.aborted) return;
    const line = readLine(bytes, this.#deps.clock.now());
    const refused = line === null ? 1 : this.#refusedLines(stream, line);
    if (line === null || refused > 0) {
      const folder = folderOf(stream, files);
      if (refused === 1) this.#deps.log.warn({ folder }, 'a line of a node file is not valid');
      this.#onDamaged(stream, 'a line is not valid');
      if (refused === CONTRADICTING_LINES)
        this.#events.contradicted(`${refused} lines of ${folder} contradict those before`);
      return;
    }
    const { bytes: _, ...head } = line;
    this.#last[stream] = head;
    this.#fillsSince ??= line.height;
    if (stream === 'fills') {
      this.#onFills(files, line);
    } else {
      this.#joiner?.push(stream, line, this.#deps.clock.now());
      this.#settleLater();
    }
  }

  #isNext(stream: NodeStream, line: NodeLine | null): boolean {
    const last = this.#last[stream];
    return line !== null && last !== undefined && line.height <= last.height + 1;
  }

  /** How many lines in a row are refused, this one included; 0 if it is not. A wrong number would make all others old. */
  #refusedLines(stream: NodeStream, { height, time }: Place): number {
    const last = this.#last[stream];
    const refused = this.#refused[stream];
    delete this.#refused[stream];
    const now = this.#deps.clock.wallNow();
    if (last === undefined || isPlausible({ height, time }, last, now)) return 0;
    const lines = refused !== undefined && isPlausible({ height, time }, refused.last, now) ? refused.lines + 1 : 1;
    this.#refused[stream] = { lines, last: { height, time } };
    return lines;
  }

  #onFills(files: NodeFiles, line: NodeLine): void {
    const { height } = line;
    const joiner = this.#joiner;
    if (isQuiet(line)) joiner?.sawQuiet();
    const from = this.#fillsFrom;
    // A rewritten file is read from its start; fills that are already known are not new trades.
    if (height < from) return;
    this.#fillsFrom = height + (files === 'streaming' ? 0 : 1);
    if (from > 0 && height > from && joiner?.leavesOutQuiet === false) {
      const blocks = height - 1 === from ? `block ${from}` : `blocks ${from} to ${height - 1}`;
      this.#events.fillsMissing(height - 1, `the fills of ${blocks} are missing from ${folderOf('fills', files)}`);
    }
    this.#events.fills(line);
    joiner?.sawFills(height, this.#deps.clock.now());
    this.#settleLater();
  }

  /** Lines of a stream may be lost. In by-block files the next block number shows it, unless the node leaves out numbers. */
  #onDamaged(stream: NodeStream, problem: string): void {
    if (stream !== 'fills') this.#joiner?.damaged(stream);
    else if (this.#joiner?.leavesOutQuiet === true)
      this.#events.fillsMissing(this.#fillsFrom, `fills behind block ${this.#fillsFrom} may be lost: ${problem}`);
  }

  #settleLater(): void {
    const { clock } = this.#deps;
    const at = this.#joiner?.settleAt() ?? null;
    if (at === null || this.#settles || this.#end.signal.aborted) return;
    this.#settles = true;
    afterReading(clock, Math.max(0, at - clock.now()), () => {
      this.#settles = false;
      this.#joiner?.settle(clock.now());
      this.#settleLater();
    });
  }
}

/** Whether the number of a line can be that of a block so soon after another one, or before. No block is made after `now`. */
function isPlausible({ height, time }: Place, other: Place, now: number): boolean {
  const blocks = height - other.height;
  const ms = blocks < 0 ? other.time - time : Math.min(time, now + CLOCKS_APART_MS) - other.time;
  return Math.abs(blocks) <= Math.max(0, ms) + BLOCKS_APART_MAX;
}
