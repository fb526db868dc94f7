import { createHash } from 'node:crypto';
import { L4Book } from '@l4desk/book';
import type { BookChange, Side } from '@l4desk/protocol';
import { afterReading, type SystemClock } from '@l4desk/runtime/node';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import type { UpstreamSnapshot } from './source.ts';

/** Heights per coin whose messages are remembered, so that a further message of one is recognised. */
const HEIGHTS_KEPT = 64;

/** Characters at both ends of a message that distinguish it from another one of the same length. */
const COMPARED = 512;

const STATUSES = '"order_statuses":[';
const DIFFS = '],"book_diffs":[';
const END = ']}}}';

/** A height of a coin, passed on whole or merged from its messages. */
type Height = { readonly kind: 'whole'; readonly time: number; readonly mark: number } | SplitHeight;

interface SplitHeight {
  readonly kind: 'split';
  readonly time: number;
  readonly digests: Set<string>;
  /** Messages to merge; empty once they are. */
  texts: readonly string[];
  isDue: boolean;
  readonly cancel: () => void;
}

interface SplitHeightsDeps {
  readonly clock: SystemClock;
  /** How long the messages of one coin and height are collected, from the first, in ms (`L4_REORDER_MS`). */
  readonly waitMs: number;
  /** Passes on the text of a merged message. */
  readonly merged: (text: string) => void;
  /** This server is known to split heights from now on. */
  readonly splits: () => void;
}

/** Merges the messages of one coin and height, from the first two on that differ. Whole heights pass without a wait (D60). */
export class SplitHeights {
  readonly #deps: SplitHeightsDeps;
  readonly #coins = new Map<string, Map<number, Height>>();
  #isSplit = false;

  constructor(deps: SplitHeightsDeps) {
    this.#deps = deps;
  }

  /** Whether the server of this connection is known to split heights. */
  get isSplit(): boolean {
    return this.#isSplit;
  }

  /** Adds a message. Returns whether its block is to be passed on as it is. */
  passes({ coin, height, time }: UpstreamBlock, text: string): boolean {
    let heights = this.#coins.get(coin);
    if (heights === undefined) {
      heights = new Map();
      this.#coins.set(coin, heights);
    }
    const known = heights.get(height);
    if (known === undefined) {
      this.#remember(heights, height, this.#isSplit ? this.#collect(heights, time, text) : whole(time, text));
      return !this.#isSplit;
    }
    // Another time is that of another chain.
    if (known.time !== time) return true;
    if (known.kind === 'whole') {
      if (!this.#isSplit && known.mark !== markOf(text)) {
        this.#isSplit = true;
        this.#deps.splits();
      }
      // The sequencer compares it with the block that was passed on.
      return true;
    }
    const digest = digestOf(text);
    if (known.digests.has(digest)) return false;
    // It changes a published block.
    if (known.texts.length === 0) return true;
    known.digests.add(digest);
    known.texts = [...known.texts, text];
    return false;
  }

  forget(coin: string): void {
    for (const known of this.#coins.get(coin)?.values() ?? []) {
      if (known.kind === 'whole') continue;
      known.cancel();
      known.texts = [];
    }
    this.#coins.delete(coin);
  }

  /** The connection is closed; the next one may be to another server. */
  reset(): void {
    for (const coin of this.#coins.keys()) this.forget(coin);
    this.#isSplit = false;
  }

  #collect(heights: Map<number, Height>, time: number, text: string): Height {
    const { clock, waitMs } = this.#deps;
    const cancel = afterReading(clock, waitMs, () => {
      // Not found out from the time: a timer may run a fraction of a millisecond early.
      height.isDue = true;
      this.#mergeDue(heights);
    });
    const height: SplitHeight = {
      kind: 'split',
      time,
      digests: new Set([digestOf(text)]),
      texts: [text],
      isDue: false,
      cancel,
    };
    return height;
  }

  /** Merges the due heights of a coin, lowest first: none before a lower one, of which a message came later. */
  #mergeDue(heights: Map<number, Height>): void {
    for (const [height, known] of [...heights].sort(([a], [b]) => a - b)) {
      if (known.kind === 'whole' || known.texts.length === 0) continue;
      if (!known.isDue) return;
      const { texts, time } = known;
      known.texts = [];
      this.#deps.merged(mergedText(time, height, texts));
    }
  }

  #remember(heights: Map<number, Height>, height: number, known: Height): void {
    heights.set(height, known);
    if (heights.size <= HEIGHTS_KEPT) return;
    const [oldest] = heights;
    if (oldest !== undefined && (oldest[1].kind === 'whole' || oldest[1].texts.length === 0)) heights.delete(oldest[0]);
  }
}

function whole(time: number, text: string): Height {
  return { kind: 'whole', time, mark: markOf(text) };
}

/** A hash of a message's length and of both its ends: cheap, and different for parts of one block. */
function markOf(text: string): number {
  let mark = text.length;
  const mix = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  };
  mix(0, Math.min(COMPARED, text.length));
  mix(Math.max(COMPARED, text.length - COMPARED), text.length);
  return mark;
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** One message with the statuses and the diffs of several, as received. */
function mergedText(time: number, height: number, texts: readonly string[]): string {
  const lists = texts.map(listsOf);
  const join = (index: 0 | 1) => lists.flatMap((pair) => (pair[index] === '' ? [] : [pair[index]])).join(',');
  return `{"channel":"l4Book","data":{"Updates":{"time":${time},"height":${height},${STATUSES}${join(0)}${DIFFS}${join(1)}${END}`;
}

/** The texts of a message's statuses and diffs, without brackets. The message was already read as a block. */
function listsOf(text: string): readonly [statuses: string, diffs: string] {
  const start = text.indexOf(STATUSES);
  const end = text.indexOf(DIFFS);
  // Inside a JSON string a quote is escaped, so the marks are real keys, and the form is that of the server.
  if (start >= 0 && end > start && text.endsWith(END))
    return [text.slice(start + STATUSES.length, end), text.slice(end + DIFFS.length, -END.length)];
  const { order_statuses, book_diffs } = JSON.parse(text).data.Updates;
  return [JSON.stringify(order_statuses).slice(1, -1), JSON.stringify(book_diffs).slice(1, -1)];
}

/**
 * The coin's book at the snapshot's height. A server that splits heights reports a height before it has applied all its parts, so
 * its snapshot may lack some. `blocks` are the merged ones of the last heights. Replaying a part that is already applied has no
 * effect.
 */
export function completeSnapshot(
  coin: string,
  snapshot: UpstreamSnapshot,
  blocks: readonly UpstreamBlock[],
): UpstreamSnapshot {
  const missing = blocks.filter(({ height }) => height <= snapshot.height);
  if (missing.length === 0) return snapshot;
  const { book, findings } = L4Book.build(coin, snapshot.levels);
  // The sequencer reports an order that cannot rest. Both sides of a part of a height may cross.
  if (findings.some(({ kind }) => kind !== 'crossed')) return snapshot;
  for (const block of missing) book.apply(sidedChanges(block, book), block.statuses, block.time);
  return { ...snapshot, levels: book.levels() };
}

/** The changes whose side is known. Any other is of an order that does not rest. */
function sidedChanges({ changes, statuses }: UpstreamBlock, book: L4Book): readonly BookChange[] {
  const sides = new Map<number, Side>(statuses.map(({ order }) => [order.oid, order.side]));
  return changes.flatMap((change) => {
    const side = change.side ?? sides.get(change.oid) ?? book.sideOf(change.oid);
    return side === undefined ? [] : [{ ...change, side }];
  });
}
