import { readJson } from '../json.ts';
import { WireFormatError } from '../wire-format-error.ts';
import type { OrderStatus } from './batch.ts';
import { readStatuses } from './statuses.ts';

/** The order statuses of one coin's block: read and checked, or not read yet. */
export type BlockStatuses = readonly OrderStatus[] | UnreadStatuses;

/** Order statuses as received. They only add fields to new orders (BOOK-2), so diffs need not wait for them. */
export class UnreadStatuses {
  /** Length of the message they were cut from: an engine retains the whole message as long as this piece. */
  readonly messageLength: number;
  private text: string;
  private readonly path: string;
  private statuses: readonly OrderStatus[] | undefined;
  private problem: WireFormatError | undefined;

  /** `text` is the JSON array; `path` names it in errors. */
  constructor(text: string, path: string, messageLength = text.length) {
    this.text = text;
    this.path = path;
    this.messageLength = messageLength;
  }

  /** Parses and checks them once, and releases the text. Throws WireFormatError with the path of the first problem. */
  read(): readonly OrderStatus[] {
    if (this.problem !== undefined) throw this.problem;
    if (this.statuses !== undefined) return this.statuses;
    try {
      this.statuses = readStatuses(readJson(this.text, this.path), this.path);
      return this.statuses;
    } catch (error) {
      if (error instanceof WireFormatError) this.problem = error;
      throw error;
    } finally {
      this.text = '';
    }
  }
}

/** The statuses of a block; undefined if they break the format. */
export function readableStatuses(statuses: BlockStatuses): readonly OrderStatus[] | undefined {
  if (!(statuses instanceof UnreadStatuses)) return statuses;
  try {
    return statuses.read();
  } catch (error) {
    if (error instanceof WireFormatError) return undefined;
    throw error;
  }
}
