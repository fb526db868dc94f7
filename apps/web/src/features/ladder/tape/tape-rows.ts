import type { ListedRow, TapeResponse } from '../../../book-worker/panes/past.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { LiveRows } from '../../../ui/live-grid/live-view.ts';
import { HeldRows } from '../held-rows.ts';

/** Most rows listed; use the filter to find older changes. */
export const LISTED = 300;

const NO_ROWS: readonly ListedRow[] = [];

/** A frame with a response of the tape. */
export type TapeFrame = Pick<PanesFrame, 'generation' | 'frozen'> & { readonly tape: TapeResponse };

/** The rows of an earlier response, which keep their places, and how many newer ones wait. */
export interface HeldTape {
  readonly rows: readonly ListedRow[];
  /** The block that the rows belong to. */
  readonly height: number;
  readonly newer: number;
  /** Even more wait: a response did not reach back to the one before. */
  readonly isMore: boolean;
  /** The frame with the last response, and whether its book moved by itself: it was live or played. */
  readonly frame: TapeFrame;
  readonly isMoving: boolean;
}

/**
 * The rows that were held `before`, with another response: newer rows wait, and older ones follow as far as they are listed. The
 * list of another book, filter or block of time travel takes their place, but not that of a block that is played.
 */
export function heldTape(before: HeldTape | undefined, frame: TapeFrame, isPlaying = false): HeldTape {
  const { tape } = frame;
  const isMoving = isPlaying || !frame.frozen;
  if (before === undefined || before.rows.length === 0 || !isLater(before, frame, isMoving)) {
    return { rows: tape.rows, height: tape.height, newer: 0, isMore: false, frame, isMoving };
  }
  const indexOf = (row: ListedRow | undefined) => tape.rows.findIndex(({ id }) => id === row?.id);
  const first = indexOf(before.rows[0]);
  if (first >= 0) {
    const rest = tape.rows.slice(first);
    const rows = rest.length > before.rows.length ? rest : before.rows;
    return { ...before, rows, newer: first, isMore: false, frame, isMoving };
  }
  const added = indexOf(before.frame.tape.rows[0]);
  return {
    ...before,
    newer: before.newer + (added < 0 ? tape.rows.length : added),
    isMore: before.isMore || added < 0,
    frame,
    isMoving,
  };
}

/** Whether a response continues the list of another one. A step in a held book does not: its block is to be seen. */
function isLater({ frame: last, isMoving: wasMoving }: HeldTape, next: TapeFrame, isMoving: boolean): boolean {
  const isStep = !wasMoving && !isMoving && last.tape.height !== next.tape.height;
  const isSame = last.generation === next.generation && last.tape.serial === next.tape.serial;
  return isSame && !isStep && next.tape.end >= last.tape.end;
}

/** The rows of the tape as a store: those of the last response, or the held ones (WEB-171). */
export class TapeRows extends HeldRows<ListedRow> {
  #isPlaying = false;
  #held: HeldTape | undefined;

  protected override forget(): void {
    this.#held = undefined;
  }

  /** The shown book, now at the block of this height, is played from now on, or no longer. */
  play(isPlaying: boolean, height: number | undefined): void {
    this.#isPlaying = isPlaying;
    // The response for the last played block may still follow.
    if (isPlaying || this.#held?.frame.frozen !== true || this.#held.frame.tape.height !== height) return;
    this.#held = { ...this.#held, isMoving: false };
  }

  /** The held rows; undefined while the rows are not held. */
  readonly held = (): HeldTape | undefined => {
    const frame = this.frames.read();
    if (!this.isHeld || !hasTape(frame)) this.#held = undefined;
    else if (frame !== this.#held?.frame) this.#held = heldTape(this.#held, frame, this.#isPlaying);
    return this.#held;
  };

  override readonly read = (): LiveRows<ListedRow> => {
    const frame = this.frames.read();
    const { rows = NO_ROWS, height } = this.held() ?? frame?.tape ?? {};
    return { rows, height, isStill: frame?.frozen === true, isCut: isListCut(frame?.tape) };
  };
}

const hasTape = (frame: PanesFrame | undefined): frame is PanesFrame & TapeFrame => frame?.tape !== undefined;

/** Whether fewer changes are listed than there is room for, because only the rows in view were requested. */
export function isListCut(tape: TapeResponse | undefined): boolean {
  return tape?.isCut === true && tape.rows.length < LISTED;
}
