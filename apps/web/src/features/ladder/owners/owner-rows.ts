import type { DecimalString, Side } from '@l4desk/protocol';
import type { LensOwner, LensSide, OwnerLens, OwnersResponse } from '../../../book-worker/panes/owners.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { SlowFrames } from '../../../book-worker/use-slow-pane.ts';
import type { LiveRows } from '../../../ui/live-grid/live-view.ts';
import { HeldRows } from '../held-rows.ts';

/** A wallet in the list. */
export interface OwnerRow extends LensOwner {
  /** The largest share on its side. */
  readonly largest: DecimalString;
  readonly requotes: DecimalString | null;
  /** It has kept its row and is no longer among the listed wallets: its values are old. */
  readonly isUnlisted: boolean;
}

/** Most wallets listed per side: the rest have almost nothing, and are counted in every sum. */
export const LISTED = 100;

/** The most held rows. With more, the wallets are sorted anew. */
const HELD_MAX = 300;

const NO_ROWS: readonly OwnerRow[] = [];

export const keyOf = ({ user }: Pick<OwnerRow, 'user'>): string => user ?? 'unnamed';

export const sideOf = (lens: OwnerLens | undefined, side: Side): LensSide | undefined =>
  side === 'B' ? lens?.bids : lens?.asks;

/** Whether fewer wallets were requested than the list has room for. */
export function isListCut(lens: LensSide | undefined): boolean {
  return lens !== undefined && lens.owners.length < Math.min(LISTED, lens.wallets);
}

/** The wallets of one side as a store: the largest first, or in the rows that they had while these are held (WEB-171). */
export class OwnerRows extends HeldRows<OwnerRow> {
  readonly #side: Side;
  #frame: PanesFrame | undefined;
  /** The rows are those of the frame. */
  #isRead = false;
  #rows: readonly OwnerRow[] = NO_ROWS;
  #live: LiveRows<OwnerRow> = { rows: NO_ROWS, height: undefined, isStill: false, isCut: false };

  constructor(side: Side, frames: SlowFrames) {
    super(frames);
    this.#side = side;
  }

  protected override forget(): void {
    this.#isRead = false;
  }

  override readonly read = (): LiveRows<OwnerRow> => {
    const frame = this.frames.read();
    if (this.#isRead && frame === this.#frame) return this.#live;
    const owners = frame?.owners;
    const isCut = isListCut(sideOf(owners?.lens, this.#side));
    const sorted = sortedOwners(this.#side, owners);
    this.#rows = this.isHeld && isLater(this.#frame, frame) ? heldOwners(this.#rows, sorted, isCut) : sorted;
    this.#frame = frame;
    this.#isRead = true;
    this.#live = { rows: this.#rows, height: owners?.height, isStill: frame?.frozen === true, isCut };
    return this.#live;
  };
}

/** Whether a frame continues the list of another one. A wallet that an earlier block does not have yet is not gone. */
function isLater(last: PanesFrame | undefined, next: PanesFrame | undefined): boolean {
  if (last?.owners === undefined || next?.owners === undefined) return false;
  const isSame = last.generation === next.generation && last.owners.serial === next.owners.serial;
  return isSame && last.owners.height <= next.owners.height;
}

function sortedOwners(side: Side, response: OwnersResponse | undefined): readonly OwnerRow[] {
  const lens = sideOf(response?.lens, side);
  if (lens === undefined) return NO_ROWS;
  const rates = side === 'B' ? response?.requotes?.bids : response?.requotes?.asks;
  return lens.owners.map((owner, index) => ({
    ...owner,
    largest: lens.top1,
    requotes: rates?.[index] ?? null,
    isUnlisted: false,
  }));
}

/**
 * The sorted wallets in the rows in which they were listed `before`: new ones follow. A cut list does not say which ones are
 * gone.
 */
function heldOwners(before: readonly OwnerRow[], sorted: readonly OwnerRow[], isCut: boolean): readonly OwnerRow[] {
  const rest = new Map(sorted.map((row) => [keyOf(row), row]));
  const kept = before.map((last) => {
    const row = rest.get(keyOf(last));
    rest.delete(keyOf(last));
    return row ?? (isCut || last.isUnlisted ? last : { ...last, isUnlisted: true });
  });
  return kept.length + rest.size > HELD_MAX ? sorted : [...kept, ...rest.values()];
}
