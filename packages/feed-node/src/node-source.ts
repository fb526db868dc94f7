import type {
  Executions,
  L4Source,
  SourceDeps,
  SourceEvents,
  UpstreamBlock,
  UpstreamSnapshot,
} from '@l4desk/feed/core';
import { type BookLossReason, WireFormatError } from '@l4desk/protocol';
import { type NodeFiles, type NodeFill, readNodeFill } from '@l4desk/protocol/upstream';
import { every, pause } from '@l4desk/runtime/node';
import { BlockExecutions, TradePairs } from './fills.ts';
import type { MissingBlocks, NodeBlock } from './joiner.ts';
import { folderOf } from './layout.ts';
import { BlockTimes, toUpstreamBlock } from './node-block.ts';
import { eventsOf, eventsOfAll, isQuiet, type NodeLine } from './node-line.ts';
import { NodeReader } from './node-reader.ts';
import { DIFF_WITHIN_MS, RestingClaims } from './resting-claims.ts';
import type { CoinOfSnapshot } from './snapshot-reader.ts';
import { SnapshotRequests } from './snapshot-requests.ts';

/** Where a node's files and its info server are. */
export interface NodePaths {
  /** The folder that holds `node_raw_book_diffs_by_block` or `…_streaming` (`NODE_DATA_DIR`). */
  readonly dataDir: string;
  /** The node's own info server (`NODE_INFO_URL`), and the path to which it writes snapshots (`NODE_SNAPSHOT_PATH`). */
  readonly infoUrl: string;
  readonly snapshotPath: string;
}

export interface NodeSourceSettings extends NodePaths {
  /** Time without a new block after which the files are silent, in ms. */
  readonly silentAfterMs: number;
  readonly snapshotWithinMs: number;
  readonly pollMs: number;
  readonly checkMs: number;
  readonly fillsWithinMs: number;
}

interface FollowedCoin {
  /** Every block from this height on is reported; null before the first block. */
  from: number | null;
  /** Height of the reported snapshot; null until it is reported. */
  base: number | null;
  /** A snapshot whose height the files have not reached yet. */
  early: CoinOfSnapshot | null;
  /** Whether statuses were read of which the diffs are overdue. */
  lacksDiffs: boolean;
  doubt: BookLossReason | null;
}

type EventsByCoin = ReadonlyMap<string, readonly unknown[]>;

const WATCH_MS = 1_000;

/** Pause before requesting another snapshot in place of one that is too old. */
const AGAIN_MS = 1_000;

/** The files that a node writes, as a source of blocks (NODE-1 to NODE-8). One reader serves all coins. */
export class NodeSource implements L4Source {
  /** Stays connected once files were found, even if they vanish, unless the reader begins again. */
  readonly connection = {
    counters: { messages: 0, bytes: 0, connects: 0 },
    connected: false,
    aliveAt: null as number | null,
    isSilent: false,
  };
  readonly #settings: NodeSourceSettings;
  readonly #events: SourceEvents;
  readonly #deps: SourceDeps;
  readonly #snapshots: SnapshotRequests;
  readonly #coins = new Map<string, FollowedCoin>();
  readonly #times = new BlockTimes();
  readonly #claims: RestingClaims;
  readonly #trades = new TradePairs();
  #executions = new BlockExecutions();
  #reader: NodeReader | null = null;
  #files: NodeFiles = 'by_block';
  /** The last block known to be lost: a book must not start before it. */
  #missingTo = 0;
  #diffsAt = 0;
  #blockAt = 0;
  /** The last block, and when a row of it was read. */
  #last: { readonly height: number; readonly readAt: number } | null = null;
  #fillsProblem: string | null = null;
  /** Why there are no files to read; null if there are. */
  #filesProblem: string | null = null;
  #cancelWatch = () => {};
  #closed = false;

  constructor(settings: NodeSourceSettings, events: SourceEvents, deps: SourceDeps) {
    this.#settings = settings;
    this.#events = events;
    this.#deps = deps;
    this.#claims = new RestingClaims(deps.rests);
    const { infoUrl, snapshotPath: path, snapshotWithinMs: withinMs } = settings;
    this.#snapshots = new SnapshotRequests({ infoUrl, path, withinMs }, () => deps.clock.now());
  }

  get executions(): Executions {
    return this.executionsProblem === null ? 'exact' : 'inferred';
  }

  get executionsProblem(): string | null {
    return this.#filesProblem ?? this.#fillsProblem;
  }

  get warnings(): readonly string[] {
    const silent = this.connection.isSilent ? [this.#silence()] : [];
    return [...silent, this.#fillsProblem, this.#snapshots.problem].filter((problem) => problem !== null);
  }

  get progressAt(): number | null {
    return this.#snapshots.progressAt;
  }

  start(): void {
    this.#reader = this.#read();
    this.#cancelWatch = every(this.#deps.clock, WATCH_MS, () => {
      this.#checkSilence();
      this.#checkFills();
      this.#checkStatusesAhead();
      this.#review();
    });
  }

  #read(): NodeReader {
    return new NodeReader(
      this.#settings,
      {
        found: (files) => this.#onFound(files),
        notFound: (problem) => this.#onNotFound(problem),
        block: (block) => this.#onBlock(block),
        missing: (blocks) => this.#onMissing(blocks),
        late: (line) => this.#onLate(line),
        leavesOutQuiet: () =>
          this.#deps.log.warn(
            {},
            'the node leaves out blocks without events: a lost block looks like a quiet one, and only audits find it',
          ),
        fills: (line) => this.#onFills(line),
        fillsMissing: (at, detail) => this.#onFillsMissing(this.#coins.keys(), at, detail),
        read: (bytes) => this.#onRead(bytes),
        contradicted: (problem) => this.#beginAgain(problem),
      },
      this.#deps,
    );
  }

  /** Trusts nothing that was read so far. Every coin is joined again. */
  #beginAgain(problem: string): void {
    this.#deps.log.warn({ problem }, 'reading the files of the node from here again');
    void this.#reader?.close();
    this.#missingTo = 0;
    this.#diffsAt = 0;
    this.#last = null;
    this.#executions = new BlockExecutions();
    this.connection.connected = false;
    this.#events.disconnected(problem);
    this.#reader = this.#read();
  }

  join(coin: string): void {
    const height = this.#reader?.height ?? null;
    const followed: FollowedCoin = {
      from: height === null ? null : height + 1,
      base: null,
      early: null,
      lacksDiffs: false,
      doubt: null,
    };
    this.#coins.set(coin, followed);
    void this.#requestSnapshot(coin, followed);
  }

  leave(coin: string): void {
    this.#coins.delete(coin);
    this.#claims.forget(coin);
  }

  /** Always false: a missing snapshot says nothing about the files. */
  hasNotResponded(): boolean {
    return false;
  }

  /** Does nothing: there is no connection to replace. */
  reconnect(): void {}

  async fetchSnapshot(coin: string, signal: AbortSignal, onProgress: () => void): Promise<UpstreamSnapshot> {
    // The book lacks what the node has not written yet, so a comparison tells nothing new.
    while (this.#coins.get(coin)?.doubt === 'missing-changes' && !signal.aborted)
      await pause(this.#deps.clock, WATCH_MS, signal);
    signal.throwIfAborted();
    const { height, levels } = await this.#snapshots.request(coin, onProgress);
    signal.throwIfAborted();
    return { height, time: this.#times.of(height), levels };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelWatch();
    this.#coins.clear();
    this.#snapshots.close();
    await this.#reader?.close();
  }

  async #requestSnapshot(coin: string, followed: FollowedCoin): Promise<void> {
    const isWanted = () => this.#coins.get(coin) === followed && followed.base === null && !this.#closed;
    try {
      const found = await this.#snapshots.request(coin);
      if (!isWanted()) return;
      followed.early = found;
      this.#join(coin, followed);
    } catch (error) {
      if (!isWanted()) return;
      this.leave(coin);
      this.#events.lost(coin, 'no-snapshot', error instanceof Error ? error.message : 'no snapshot');
    }
  }

  /** Reports a snapshot once the files have reached its height. Requests another one if it is from before the first block. */
  #join(coin: string, followed: FollowedCoin): void {
    const { early, from } = followed;
    const height = this.#reader?.height ?? null;
    if (early === null || from === null || height === null || early.height > height) return;
    followed.early = null;
    if (early.height < Math.max(from - 1, this.#missingTo)) {
      this.#deps.log.info({ coin, height: early.height, from }, 'the snapshot of the node is too old: asking again');
      this.#deps.clock.after(AGAIN_MS, () => {
        if (this.#coins.get(coin) === followed && !this.#closed) void this.#requestSnapshot(coin, followed);
      });
      return;
    }
    followed.base = early.height;
    this.#events.snapshot(coin, { height: early.height, time: this.#times.of(early.height), levels: early.levels });
    this.#events.completeThrough(height);
  }

  #onFound(files: NodeFiles): void {
    this.#files = files;
    this.#filesProblem = null;
    const now = this.#deps.clock.now();
    this.connection.connected = true;
    this.connection.aliveAt = now;
    this.connection.counters.connects += 1;
    this.#blockAt = now;
    this.#deps.log.info({ files }, 'reading the files of the node');
    this.#checkFills();
    this.#events.connected();
  }

  #onNotFound(problem: string): void {
    this.#deps.log.warn({ problem }, 'no files of a node');
    // Subscribers of `trades` are refused with it (D70).
    this.#filesProblem = problem;
    this.#events.disconnected(problem);
  }

  #onRead(bytes: number): void {
    this.connection.aliveAt = this.#deps.clock.now();
    this.connection.counters.bytes += bytes;
    this.#events.receiving();
  }

  #onBlock(block: NodeBlock): void {
    const { height, time } = block;
    this.#times.remember(height, time);
    this.#blockAt = this.#deps.clock.now();
    this.connection.counters.messages += 1;
    if (block.diffs.some((line) => !isQuiet(line))) this.#diffsAt = height;
    const readAt = (block.statuses[0] ?? block.diffs[0])?.readAt ?? this.#blockAt;
    this.#checkJump(height, readAt);
    for (const followed of this.#coins.values()) followed.from ??= height;
    const { blocks, statuses } = this.#readBlock(block);
    if (blocks.length > 0) this.#events.blocks(blocks);
    this.#events.completeThrough(height);
    for (const coin of this.#behind(height)) this.#claims.add(coin, statuses.get(coin) ?? [], height, readAt);
    this.#endSilence();
    this.#review();
    for (const [coin, followed] of this.#coins) if (followed.early !== null) this.#join(coin, followed);
  }

  /** The coins whose books are from before this block. */
  #behind(height: number): readonly string[] {
    return [...this.#coins].flatMap(([coin, { base }]) => (base !== null && base < height ? [coin] : []));
  }

  /** The changes of a block to each followed coin, and the statuses of the coins that have a book. */
  #readBlock(block: NodeBlock): { blocks: readonly UpstreamBlock[]; statuses: EventsByCoin } {
    const { height, diffs } = block;
    const executed = this.#executions.of(height);
    let diffEvents: EventsByCoin;
    let statusEvents: EventsByCoin;
    try {
      diffEvents = eventsOfAll(diffs, 'diffs', new Set(this.#coins.keys()));
      statusEvents = eventsOfAll(block.statuses, 'statuses', new Set([...diffEvents.keys(), ...this.#behind(height)]));
    } catch (error) {
      this.#gap(height, 'malformed', `block ${height} cannot be read: ${messageOf(error)}`);
      return { blocks: [], statuses: new Map() };
    }
    const blocks: UpstreamBlock[] = [];
    for (const [coin, events] of diffEvents) {
      const ofCoin = statusEvents.get(coin) ?? [];
      try {
        blocks.push(toUpstreamBlock(coin, block, events, ofCoin, this.#deps.readsAll(coin), executed.get(coin)));
      } catch (error) {
        if (!(error instanceof WireFormatError)) throw error;
        this.#lose(coin, 'malformed', `block ${height}: ${error.message}`);
      }
    }
    return { blocks, statuses: statusEvents };
  }

  /** In files that leave out quiet blocks a missing one looks like those, but no chain is quiet for that long. */
  #checkJump(height: number, readAt: number): void {
    const last = this.#last;
    this.#last = { height, readAt };
    if (last === null || height - 1 <= Math.max(last.height, this.#missingTo)) return;
    if (readAt - last.readAt < this.#settings.silentAfterMs) return;
    this.#onMissing({ stream: 'diffs', from: last.height + 1, to: height - 1 });
  }

  #onMissing({ stream, from, to }: MissingBlocks): void {
    const what = from === to ? `block ${from} is` : `blocks ${from} to ${to} are`;
    const detail = `${what} missing from ${folderOf(stream, this.#files)}`;
    this.#deps.log.warn({ from, to, stream }, detail);
    this.#gap(to, 'missing-block', detail);
  }

  /** A change that arrived after the rest of its block: the books of its coins lack it. */
  #onLate(line: NodeLine): void {
    const { height } = line;
    let coins: readonly string[];
    try {
      coins = [...eventsOf(line, 'diffs', new Set(this.#coins.keys())).keys()];
    } catch (error) {
      this.#gap(height, 'malformed', `block ${height} cannot be read: ${messageOf(error)}`);
      return;
    }
    for (const coin of coins) {
      const { base = null } = this.#coins.get(coin) ?? {};
      this.#missingTo = Math.max(this.#missingTo, height);
      if (base !== null && base < height)
        this.#lose(coin, 'late-block', `a change of block ${height} came after block ${this.#reader?.height}`);
    }
  }

  /** Blocks are known to be lost: loses every book from before them; the next snapshot must include them. */
  #gap(to: number, reason: 'missing-block' | 'malformed', detail: string): void {
    this.#missingTo = Math.max(this.#missingTo, to);
    for (const [coin, { base }] of this.#coins) if (base !== null && base < to) this.#lose(coin, reason, detail);
  }

  #lose(coin: string, reason: 'missing-block' | 'malformed' | 'late-block' | 'missing-changes', detail: string): void {
    this.leave(coin);
    this.#events.lost(coin, reason, detail);
  }

  #onFills(line: NodeLine): void {
    if (this.#coins.size === 0) return;
    const { height, time } = line;
    const followed = new Set(this.#coins.keys());
    let events: ReadonlyMap<string, readonly unknown[]>;
    try {
      events = eventsOf(line, 'fills', followed);
    } catch (error) {
      this.#onFillsMissing(followed, height, `the fills of block ${height} cannot be read: ${messageOf(error)}`);
      return;
    }
    for (const [coin, ofCoin] of events) {
      let fills: readonly NodeFill[];
      try {
        fills = ofCoin.map(readNodeFill);
      } catch (error) {
        this.#onFillsMissing([coin], height, `the fills of block ${height} cannot be read: ${messageOf(error)}`);
        continue;
      }
      this.#executions.take(height, coin, fills);
      const trades = this.#trades.take(fills);
      if (trades.length > 0) this.#events.trades(coin, height, time, trades);
    }
  }

  /** Trades may be missing: informs subscribers. The executions of these blocks stay inferred. */
  #onFillsMissing(coins: Iterable<string>, height: number, detail: string): void {
    this.#deps.log.warn({ height }, detail);
    for (const coin of coins) this.#events.trades(coin, height, this.#times.of(height), [], detail);
  }

  /** No blocks are written although a chain never pauses: the books may be outdated. */
  #checkSilence(): void {
    if (!this.connection.connected || this.#coins.size === 0) return;
    if (this.#deps.clock.now() - this.#blockAt < this.#settings.silentAfterMs) return;
    if (this.connection.isSilent) return;
    this.connection.isSilent = true;
    this.#deps.log.warn({ height: this.#reader?.height }, this.#silence());
    this.#events.silent();
    this.#events.standsStill(this.#blockAt);
  }

  #silence(): string {
    const folders = this.#reader?.silentSince(this.#deps.clock.now() - this.#settings.silentAfterMs) ?? [];
    return folders.length === 0 ? 'the node writes no blocks' : `the node writes no blocks to ${folders.join(' or ')}`;
  }

  /** Without fills, subscribers of `trades` would wait in vain (D70). */
  #checkFills(): void {
    const problem = this.#reader?.fillsProblem ?? null;
    if (problem === this.#fillsProblem) return;
    this.#fillsProblem = problem;
    if (problem === null) this.#deps.log.info({}, 'the node writes fills again');
    else this.#onFillsMissing(this.#coins.keys(), this.#reader?.height ?? 0, problem);
  }

  #endSilence(): void {
    if (!this.connection.isSilent) return;
    this.connection.isSilent = false;
    this.#events.standsStill(null);
    this.#deps.log.info({ height: this.#reader?.height }, 'the node writes blocks again');
  }

  /** The file of diffs is behind that of statuses: looks whether those statuses mention changes of the books. */
  #checkStatusesAhead(): void {
    const { clock } = this.#deps;
    const due = (this.#reader?.statusesAhead ?? []).filter(({ readAt }) => clock.now() - readAt >= DIFF_WITHIN_MS);
    for (const followed of this.#coins.values()) followed.lacksDiffs &&= due.length > 0;
    const unknown = [...this.#coins].filter(([, { base, lacksDiffs }]) => base !== null && !lacksDiffs);
    if (due.length === 0 || unknown.length === 0) return;
    let events: EventsByCoin;
    try {
      events = eventsOfAll(due, 'statuses', new Set(unknown.map(([coin]) => coin)));
    } catch {
      // Reported when the block is read.
      return;
    }
    for (const [coin, followed] of unknown)
      followed.lacksDiffs = this.#claims.contradicted(coin, events.get(coin) ?? []);
  }

  /** Reports whether each book may be outdated, and loses those that lack changes once the node writes changes again (D68). */
  #review(): void {
    const now = this.#deps.clock.now();
    for (const [coin, followed] of this.#coins) {
      if (followed.base === null) continue;
      const lacksTo = this.#claims.overdue(coin, now);
      if (lacksTo !== null && lacksTo < this.#diffsAt) {
        this.#missingTo = Math.max(this.#missingTo, this.#diffsAt);
        const detail = `${folderOf('diffs', this.#files)} lacks changes of block ${lacksTo} that its statuses mention`;
        this.#deps.log.warn({ coin, height: lacksTo }, detail);
        this.#lose(coin, 'missing-changes', detail);
        continue;
      }
      const lacksDiffs = lacksTo !== null || followed.lacksDiffs;
      const doubt = lacksDiffs ? 'missing-changes' : this.connection.isSilent ? 'files-silent' : null;
      if (doubt === followed.doubt) continue;
      followed.doubt = doubt;
      this.#events.doubted(coin, doubt);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
