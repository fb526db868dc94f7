import type { Side } from '@l4desk/protocol';
import { useState } from 'react';
import type { OwnerLens, OwnersResponse, Wall } from '../../../book-worker/panes/owners.ts';

/** A wall in the list. */
export interface WallLine {
  readonly side: Side;
  readonly wall: Wall;
  /** It has kept its line, and the last response does not have it: its values are old. */
  readonly isGone: boolean;
}

/** Walls shown per side: the nearest to the mid. */
const SHOWN = 3;

/** The most held lines. With more, the walls are listed anew. */
const HELD_MAX = 12;

export const keyOfLine = ({ side, wall }: WallLine): string => `${side}${wall.px}${wall.user}`;

function nearestWalls({ asks, bids }: OwnerLens): readonly WallLine[] {
  const linesOf = (side: Side, walls: readonly Wall[]): readonly WallLine[] =>
    walls.slice(0, SHOWN).map((wall) => ({ side, wall, isGone: false }));
  return [...linesOf('A', asks.walls), ...linesOf('B', bids.walls)];
}

/** The walls of a lens in the lines in which they were listed `before`: new ones follow, and those that are gone stay. */
export function heldWalls(before: readonly WallLine[], lens: OwnerLens): readonly WallLine[] {
  const nearest = nearestWalls(lens);
  const rest = new Map(nearest.map((line) => [keyOfLine(line), line]));
  const walls = { A: lens.asks.walls, B: lens.bids.walls };
  const kept = before.map((last): WallLine => {
    rest.delete(keyOfLine(last));
    const wall = walls[last.side].find(({ px, user }) => px === last.wall.px && user === last.wall.user);
    return wall === undefined ? { ...last, isGone: true } : { ...last, wall, isGone: false };
  });
  return kept.length + rest.size > HELD_MAX ? nearest : [...kept, ...rest.values()];
}

/** The walls nearest to the mid, in the lines in which they were listed before while these are held (WEB-171). */
export function useWallLines(response: OwnersResponse, isHeld: boolean): readonly WallLine[] {
  const [last, setLast] = useState<{ response: OwnersResponse; isHeld: boolean; lines: readonly WallLine[] }>();
  if (last !== undefined && last.response === response && last.isHeld === isHeld) return last.lines;
  // A wall that an earlier block does not have yet is not gone.
  const isLater = last?.response.serial === response.serial && last.response.height <= response.height;
  const lines = isHeld && isLater ? heldWalls(last.lines, response.lens) : nearestWalls(response.lens);
  setLast({ response, isHeld, lines });
  return lines;
}
