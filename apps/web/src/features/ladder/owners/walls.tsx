import type { Address, Side } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { OwnersData, Wall } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { counted, decimalText, grouped } from '../../../ui/format.ts';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { type Held, useHeldList } from '../held-list.ts';
import { levelOnTick } from '../search.ts';
import { shareText } from './texts.ts';

interface WallLine {
  readonly side: Side;
  readonly wall: Wall;
}

/** Walls shown per side: the nearest to the mid. */
const SHOWN = 3;

/** The most held lines. With more, the walls are listed anew. */
const HELD_MAX = 12;

const keyOf = ({ side, wall }: WallLine): string => `${side}${wall.px}${wall.user}`;

function linesOf(lens: OwnersData, most?: number): readonly WallLine[] {
  const of = (side: Side, walls: readonly Wall[]) => walls.slice(0, most).map((wall) => ({ side, wall }));
  return [...of('A', lens.asks.walls), ...of('B', lens.bids.walls)];
}

interface WallsProps {
  readonly owners: PaneResult<'owners'>;
  readonly isHeld: boolean;
  readonly onOwner: (owner: Address) => void;
}

/**
 * Prices at which one wallet rests a large part of its side; a press opens the price's queue. Its height does not depend on how
 * many there are, so that the lists above stay where they are.
 */
export function Walls(props: WallsProps) {
  return (
    <section
      aria-label="Walls of a single wallet"
      data-part="walls"
      className="owner-walls shrink-0 border-t border-line px-3 py-1 text-12"
    >
      <WallList {...props} />
    </section>
  );
}

function WallList({ owners, isHeld, onOwner }: WallsProps) {
  const { asks, bids, withinBps, generation, height, sizeDecimals } = owners;
  const [rows, among] = useMemo(() => [linesOf(owners, SHOWN), linesOf(owners)], [owners]);
  const lines = useHeldList({
    rows,
    among,
    keyOf,
    isHeld,
    of: `${generation} ${withinBps}`,
    height,
    max: HELD_MAX,
  });
  const count = asks.walls.length + bids.walls.length;
  const shown = lines.filter(({ absence }) => absence === undefined).length;
  return (
    <>
      <h3
        className="flex shrink-0 gap-2 text-dim"
        title="Prices at which one wallet rests 2 % or more of the side's size within the distance"
      >
        Single-wallet walls <span className="num">{count === shown ? count : `${shown} of ${count}`}</span>
      </h3>
      {lines.length === 0 ? (
        <p className="text-dim">None: no wallet has 2 % of a side at one price.</p>
      ) : (
        <ul className="@container max-h-full min-h-0 min-w-0 grow overflow-y-auto">
          {lines.map((line) => (
            <WallRow key={keyOf(line.row)} line={line} sizeDecimals={sizeDecimals} onOwner={onOwner} />
          ))}
        </ul>
      )}
    </>
  );
}

interface WallRowProps {
  readonly line: Held<WallLine>;
  readonly sizeDecimals: number;
  readonly onOwner: (owner: Address) => void;
}

function WallRow({ line: { row, absence }, sizeDecimals, onOwner }: WallRowProps) {
  const { side, wall } = row;
  const isGone = absence !== undefined;
  const { tick, onLevel } = useBookPage();
  const wallet = useWallet(wall.user);
  const { px, sz, orders, share, levelShare, bps } = wall;
  const open = () => {
    const level = levelOnTick(`${side}${px}`, tick);
    if (level !== undefined) onLevel(level);
  };
  return (
    <li ref={passesFocus} data-gone={isGone} className="relative h-[max(24px,1lh)]">
      <div className="own-layout flex items-center gap-3 whitespace-nowrap">
        <button
          type="button"
          onClick={open}
          title={
            isGone
              ? "Open this price's queue"
              : `${counted(orders, 'order')}, ${shareText(levelShare)} of the price's size, ${bps} bps from the mid: open its queue`
          }
          className={`num h-full w-[9ch] shrink-0 text-right hover:underline ${isGone ? 'text-dim' : side === 'B' ? 'text-bid' : 'text-ask'}`}
        >
          {grouped(px)}
        </button>
        <span className="num w-[11ch] shrink-0 text-right">{isGone ? 'gone' : decimalText(sz, sizeDecimals)}</span>
        <span className="num w-[7ch] shrink-0 text-right text-dim">{isGone ? '' : shareText(share)}</span>
        <span className="num w-[9ch] shrink-0 text-right text-dim @max-[28rem]:hidden">
          {isGone ? '' : `${bps} bps`}
        </span>
        <button
          type="button"
          onClick={() => onOwner(wall.user)}
          className="flex h-full min-w-6 items-center hover:underline"
        >
          <WalletName wallet={wallet} />
        </button>
      </div>
    </li>
  );
}
