import {
  type BlockStatuses,
  type InsertChange,
  type OrderStatus,
  UnreadStatuses,
  WireFormatError,
} from '@l4desk/protocol';
import type { Finding } from '../finding.ts';
import { BlockDetails, type DetailFields, type Details, unknownDetail } from './details.ts';
import type { Engine } from './engine.ts';

/**
 * Bounds on the unread blocks, and on the characters of their messages that are retained. Beyond these, the next block settles
 * them.
 */
const BLOCKS_MAX = 4;
const KEPT_CHARACTERS_MAX = 1_048_576;

/**
 * Blocks whose statuses have not been read yet, in the order they were applied. Their orders already rest. The fields besides
 * owner, price and size are filled in when a caller asks for an order, when the caller has time, or when the bound is reached.
 */
export class PendingStatuses {
  private readonly blocks: PendingBlock[] = [];
  private kept = 0;

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  get isFull(): boolean {
    return this.blocks.length >= BLOCKS_MAX || this.kept >= KEPT_CHARACTERS_MAX;
  }

  /** Returns the details of a block that is about to be applied. */
  add(statuses: BlockStatuses, time: number): Details {
    const block = new PendingBlock(statuses, time);
    this.blocks.push(block);
    this.kept += statuses instanceof UnreadStatuses ? statuses.messageLength : 0;
    return block;
  }

  /** Applies all pending statuses; returns a finding for those that cannot be read. Nothing is pending afterwards. */
  settle(engine: Engine): readonly Finding[] {
    const findings: Finding[] = [];
    // If an order left and came back, the statuses of its last insert count.
    const settled = new Set<number>();
    for (let block = this.blocks.pop(); block !== undefined; block = this.blocks.pop()) {
      const finding = block.settle(engine, settled);
      if (finding !== undefined) findings.push(finding);
    }
    this.kept = 0;
    return findings.toReversed();
  }
}

class PendingBlock implements Details {
  private readonly statuses: BlockStatuses;
  private readonly time: number;
  private readonly unknown: DetailFields;
  /** The orders that the block inserted. */
  private readonly inserts: InsertChange[] = [];

  constructor(statuses: BlockStatuses, time: number) {
    this.statuses = statuses;
    this.time = time;
    this.unknown = unknownDetail(time);
  }

  of(change: InsertChange): DetailFields {
    this.inserts.push(change);
    return this.unknown;
  }

  settle(engine: Engine, settled: Set<number>): Finding | undefined {
    const { inserts, time } = this;
    let statuses: readonly OrderStatus[] = [];
    let finding: Finding | undefined;
    try {
      statuses = this.statuses instanceof UnreadStatuses ? this.statuses.read() : this.statuses;
    } catch (error) {
      if (!(error instanceof WireFormatError)) throw error;
      finding = { kind: 'unreadable-statuses', problem: error.message };
    }
    const details = new BlockDetails(statuses, time);
    for (let at = inserts.length - 1; at >= 0; at -= 1) {
      const insert = inserts[at] as InsertChange;
      if (settled.has(insert.oid)) continue;
      settled.add(insert.oid);
      const said = details.said(insert);
      if (said !== undefined) engine.describe(insert.oid, said);
    }
    return finding;
  }
}
