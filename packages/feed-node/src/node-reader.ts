import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NodeFiles } from '@l4desk/protocol/upstream';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import { BlockJoiner } from './block-joiner.ts';
import { type FilePosition, FileTail, hasPosition } from './file-tail.ts';
import type { JoinerEvents, LineJoiner } from './joiner.ts';
import {
  findFiles,
  folderOf,
  type HourFile,
  hasFolder,
  missingFolder,
  type NodeStream,
  newestFile,
  optionsFor,
  pathOf,
} from './layout.ts';
import { isQuiet, type NodeLine, readLine } from './node-line.ts';
import { type NodePositions, readPositions, writePositions } from './positions.ts';
import { StreamJoiner } from './stream-joiner.ts';

export interface ReaderSettings {
  readonly dataDir: string;
  /** Which files to read if both kinds exist; null if unset. */
  readonly files: NodeFiles | null;
  /** File that keeps the positions; null to keep none. */
  readonly positionsPath: string | null;
  readonly pollMs: number;
  readonly checkMs: number;
  /** How long a block waits for the line of its fills, in ms. */
  readonly fillsWithinMs: number;
}

/** Events of a reader. */
export interface ReaderEvents extends JoinerEvents {
  /** The files were found and are being read. */
  found(files: NodeFiles): void;
  /** Why there are no files; reported when the reason changes. */
  notFound(problem: string): void;
  fills(line: NodeLine): void;
  /** Fills up to the block `height` may be lost; `detail` says why. */
  fillsMissing(height: number, detail: string): void;
  /** Bytes of a file were read. */
  read(bytes: number): void;
}

/** Dependencies of a reader. */
export interface ReaderDeps {
  readonly clock: SystemClock;
  readonly log: Log;
}

/** Maximum that a restart reads to catch up with the end; beyond that the missed blocks are outdated anyway. */
const RESUME_BYTES_MAX = 1 << 30;
const RESUME_HOURS_MAX = 1;

/** A line that is only looked at. */
const NOWHERE: FilePosition = { file: { day: '', hour: 0 }, offset: 0, mark: '' };

/** Blocks without a line of fills after which the node is assumed to write none. */
const FILLS_BEHIND_BLOCKS = 150;

const STREAMS: readonly NodeStream[] = ['diffs', 'statuses', 'fills'];

/** How often the reached positions are saved. */
const KEEP_MS = 1_000;

/**
 * Reads a node's files from the saved position or from their end, and joins their lines into blocks (NODE-1 to NODE-4, NODE-9).
 */
export class NodeReader {
  readonly #settings: ReaderSettings;
  readonly #events: ReaderEvents;
  readonly #deps: ReaderDeps;
  #joiner: LineJoiner | null = null;
  #tails: FileTail[] = [];
  #positions: NodePositions | null = null;
  #kept: NodePositions | null = null;
  #fillsBehind: FilePosition | null = null;
  /** The last height read from each stream. */
  readonly #lastHeights: Partial<Record<NodeStream, number>> = {};
  /** When a line of each stream was last read, in ms. */
  readonly #readAt: Partial<Record<NodeStream, number>> = {};
  #files: NodeFiles | null = null;
  #hasFills = true;
  /** The first block whose fills should have been read. */
  #fillsSince: number | null = null;
  /** Fills of blocks below this one were reported. */
  #fillsFrom = 0;
  #problem: string | null = null;
  /** Whether a call of `settle` is scheduled. */
  #settles = false;
  #wake = () => {};
  #closed = false;
  readonly #running: Promise<void>;

  constructor(settings: ReaderSettings, events: ReaderEvents, deps: ReaderDeps) {
    this.#settings = settings;
    this.#events = events;
    this.#deps = deps;
    this.#running = this.#run();
  }

  /** The last block; null before the first. */
  get height(): number | null {
    return this.#joiner?.height ?? null;
  }

  /** Why the node seems to write no fills; null if it does. */
  get fillsProblem(): string | null {
    if (this.#files === null) return null;
    if (!this.#hasFills) return missingFolder('fills', this.#files);
    // In other files a missing line means that there were no fills.
    if (this.#files !== 'by_block' || this.#joiner?.leavesOutQuiet !== false) return null;
    const last = Math.max(this.#lastHeights.fills ?? 0, this.#fillsSince ?? Number.POSITIVE_INFINITY);
    const behind = (this.#lastHeights.diffs ?? 0) - last;
    if (behind < FILLS_BEHIND_BLOCKS) return null;
    return `${folderOf('fills', 'by_block')} has no lines for the last blocks: start the node with ${optionsFor('fills', 'by_block')}`;
  }

  /** The folders of diffs and statuses of which no line was read since this time, and the options that write them. */
  silentSince(time: number): readonly string[] {
    const files = this.#files;
    if (files === null) return [];
    const silent = STREAMS.filter((stream) => stream !== 'fills' && (this.#readAt[stream] ?? 0) <= time);
    return silent.map((stream) => `${folderOf(stream, files)} (${optionsFor(stream, files)})`);
  }

  /** Statuses that were read before the diffs of their blocks. */
  get statusesAhead(): readonly NodeLine[] {
    return this.#joiner?.statusesAhead() ?? [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#running;
  }

  /** Runs until `close`. */
  async #run(): Promise<void> {
    while (!this.#closed && this.#joiner === null) {
      const found = await findFiles(this.#settings.dataDir, this.#settings.files);
      if (this.#closed) return;
      if (found.kind === 'found') await this.#start(found.files);
      else {
        if (found.problem !== this.#problem) this.#events.notFound(found.problem);
        this.#problem = found.problem;
        await this.#pause(this.#settings.checkMs);
      }
    }
    while (!this.#closed) {
      await this.#pause(KEEP_MS);
      if (this.#files !== null) this.#hasFills = await hasFolder(this.#settings.dataDir, 'fills', this.#files);
      await this.#keep();
    }
    await Promise.all(this.#tails.map((tail) => tail.close()));
    await this.#keep();
  }

  async #start(files: NodeFiles): Promise<void> {
    const places = await this.#resumable(files);
    if (this.#closed) return;
    const events: JoinerEvents = {
      block: (block) => {
        const { diffs, statuses } = block.behind;
        if (diffs !== null && statuses !== null)
          this.#positions = { files, height: block.height, diffs, statuses, fills: this.#fillsBehind };
        this.#events.block(block);
      },
      missing: (blocks) => this.#events.missing(blocks),
      late: (line) => this.#events.late(line),
      leavesOutQuiet: () => this.#events.leavesOutQuiet(),
    };
    const height = places?.height ?? null;
    const { fillsWithinMs } = this.#settings;
    const joiner =
      files === 'by_block' ? new BlockJoiner(height, events, fillsWithinMs) : new StreamJoiner(height, events);
    this.#joiner = joiner;
    this.#files = files;
    this.#hasFills = await hasFolder(this.#settings.dataDir, 'fills', files);
    if (height !== null) Object.assign(this.#lastHeights, { diffs: height, statuses: height });
    this.#tails = [
      this.#tail('diffs', files, places?.diffs, () => joiner.hasRoom('diffs')),
      this.#tail('statuses', files, places?.statuses, () => joiner.hasRoom('statuses')),
      this.#tail('fills', files, places?.fills, () => true),
    ];
    await Promise.all(this.#tails.map(({ ready }) => ready));
    if (!this.#closed) this.#events.found(files);
  }

  #tail(stream: NodeStream, files: NodeFiles, from: FilePosition | null | undefined, mayRead: () => boolean): FileTail {
    const { dataDir, pollMs, checkMs } = this.#settings;
    const { clock, log } = this.#deps;
    const folder = folderOf(stream, files);
    return new FileTail(
      { root: join(dataDir, folder), from: from ?? 'end', pollMs, checkMs },
      {
        line: (bytes, behind) => this.#onLine(stream, files, bytes, behind),
        read: (bytes) => this.#events.read(bytes),
        problem: (problem, mayHaveLost) => {
          log.warn({ folder, problem }, 'node files');
          if (mayHaveLost) this.#onDamaged(stream, problem);
        },
      },
      {
        mayRead,
        // One line is a whole block there, so nothing can be missing between consecutive numbers.
        continues: (line) => files === 'by_block' && this.#isNext(stream, readLine(line, NOWHERE)),
        clock,
      },
    );
  }

  #onLine(stream: NodeStream, files: NodeFiles, bytes: Buffer, behind: FilePosition): void {
    const line = readLine(bytes, behind, this.#deps.clock.now());
    if (line === null) {
      const folder = folderOf(stream, files);
      this.#deps.log.warn({ folder, ...behind.file, endsAt: behind.offset }, 'a line of a node file is not valid');
      this.#onDamaged(stream, 'a line is not valid');
      return;
    }
    this.#lastHeights[stream] = line.height;
    this.#readAt[stream] = line.readAt;
    this.#fillsSince ??= line.height;
    if (stream === 'fills') {
      this.#onFills(files, line);
    } else {
      this.#joiner?.push(stream, line, this.#deps.clock.now());
      this.#settleLater();
    }
  }

  #isNext(stream: NodeStream, line: NodeLine | null): boolean {
    const last = this.#lastHeights[stream];
    return line !== null && last !== undefined && line.height <= last + 1;
  }

  #onFills(files: NodeFiles, line: NodeLine): void {
    const { height } = line;
    const joiner = this.#joiner;
    if (isQuiet(line)) joiner?.sawQuiet();
    this.#fillsBehind = line.behind;
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
    if (at === null || this.#settles || this.#closed) return;
    this.#settles = true;
    clock.after(Math.max(0, at - clock.now()), () =>
      // Read what was written meanwhile first.
      clock.afterInput(() => {
        this.#settles = false;
        this.#joiner?.settle(clock.now());
        this.#settleLater();
      }),
    );
  }

  /** Resolves with the positions to continue from. Logs why if the saved ones cannot be used. */
  async #resumable(files: NodeFiles): Promise<NodePositions | null> {
    const { positionsPath } = this.#settings;
    if (positionsPath === null) return null;
    const places = await readPositions(positionsPath);
    if (places === null) return null;
    const { log } = this.#deps;
    const atTheirEnd = 'node files: starting at their end, blocks since the last run are not read';
    if (places === 'damaged') {
      log.warn({ why: `${basename(positionsPath)} is damaged` }, atTheirEnd);
      return null;
    }
    const { height } = places;
    const why = await this.#whyNot(places, files);
    if (why !== null) {
      log.warn({ height, why }, atTheirEnd);
      return null;
    }
    log.info({ height }, 'node files: continuing after the last block that was read');
    const noFills = places.fills === null ? null : await this.#whyNotFrom('fills', places.fills, files);
    if (noFills === null) return places;
    log.warn({ height, why: noFills }, 'node files: trades since the last run are not read');
    return { ...places, fills: null };
  }

  async #whyNot(places: NodePositions, files: NodeFiles): Promise<string | null> {
    if (places.files !== files) return `the last run read the files ${places.files}`;
    return (
      (await this.#whyNotFrom('diffs', places.diffs, files)) ??
      (await this.#whyNotFrom('statuses', places.statuses, files))
    );
  }

  /** Why a stream cannot be continued from where the last run ended; null if it can. */
  async #whyNotFrom(stream: NodeStream, place: FilePosition, files: NodeFiles): Promise<string | null> {
    const { file, offset } = place;
    const root = join(this.#settings.dataDir, folderOf(stream, files));
    const name = `${folderOf(stream, files)}/${pathOf(file)}`;
    try {
      const handle = await open(join(root, pathOf(file)));
      try {
        const { size } = await handle.stat();
        if (!(await hasPosition(handle, size, place))) return `${name} is another file now`;
        if (size - offset > RESUME_BYTES_MAX) return `${name} grew by ${size - offset} bytes`;
      } finally {
        await handle.close();
      }
      const newest = await newestFile(root);
      const hours = newest === null ? 0 : hoursBetween(file, newest);
      return hours > RESUME_HOURS_MAX ? `the last run ended ${hours} hours ago` : null;
    } catch {
      return `${name} is gone`;
    }
  }

  async #keep(): Promise<void> {
    const { positionsPath } = this.#settings;
    const places = this.#positions;
    if (positionsPath === null || places === null || places === this.#kept) return;
    this.#kept = places;
    try {
      await writePositions(positionsPath, places);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'node files: the position cannot be saved');
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function hoursBetween(earlier: HourFile, later: HourFile): number {
  const hourOf = ({ day, hour }: HourFile) =>
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)), hour) / 3_600_000;
  return hourOf(later) - hourOf(earlier);
}
