import { useState } from 'react';
import type { ListedRow, TapeResponse } from '../../../book-worker/panes/past.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** Most rows listed; use the filter to find older changes. */
export const LISTED = 300;

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

interface Shown {
  readonly frame: TapeFrame;
  readonly isPlaying: boolean;
  readonly held: HeldTape;
}

/**
 * The rows after another response, or after the book began or ended to be played, now at the block of this `height`. The response
 * for the last played block may still follow.
 */
export function nextHeld(
  last: Shown | undefined,
  frame: TapeFrame,
  isPlaying: boolean,
  height: number | undefined,
): Shown {
  const isStopped = last?.isPlaying === true && !isPlaying && last.frame.frozen && last.frame.tape.height === height;
  const before = last && (isStopped ? { ...last.held, isMoving: false } : last.held);
  const held = before !== undefined && frame === last?.frame ? before : heldTape(before, frame, isPlaying);
  return { frame, isPlaying, held };
}

/** The rows that keep their places while they are held; undefined while they are not. */
export function useHeldTape(
  frame: PanesFrame | undefined,
  isHeld: boolean,
  isPlaying: boolean,
  height: number | undefined,
): HeldTape | undefined {
  const [last, setLast] = useState<Shown>();
  if (!isHeld || !hasTape(frame)) {
    if (last !== undefined) setLast(undefined);
    return undefined;
  }
  if (last?.frame === frame && last.isPlaying === isPlaying) return last.held;
  const next = nextHeld(last, frame, isPlaying, height);
  setLast(next);
  return next.held;
}

const hasTape = (frame: PanesFrame | undefined): frame is PanesFrame & TapeFrame => frame?.tape !== undefined;
