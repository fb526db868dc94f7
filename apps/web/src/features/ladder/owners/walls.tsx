import type { Address, Side } from '@l4desk/protocol';
import type { Wall } from '../../../book-worker/panes/owners.ts';
import { type SlowFrames, useSlowValue } from '../../../book-worker/use-slow-pane.ts';
import { counted, decimalText, grouped } from '../../../ui/format.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { levelOnTick } from '../search.ts';
import { shareText } from './texts.ts';

/** Walls shown per side: the nearest to the mid. */
const SHOWN = 3;

interface WallsProps {
  readonly frames: SlowFrames;
  readonly onOwner: (owner: Address) => void;
}

/** Prices at which one wallet rests a large part of its side; a press opens the price's queue. */
export function Walls({ frames, onOwner }: WallsProps) {
  const frame = useSlowValue(frames);
  if (frame?.owners === undefined) return null;
  const { lens } = frame.owners;
  const walls = [
    ...lens.asks.walls.slice(0, SHOWN).map((wall) => ({ side: 'A' as const, wall })),
    ...lens.bids.walls.slice(0, SHOWN).map((wall) => ({ side: 'B' as const, wall })),
  ];
  const count = lens.asks.walls.length + lens.bids.walls.length;
  return (
    <section aria-label="Walls of a single wallet" data-part="walls" className="border-t border-line px-3 py-1 text-12">
      <h3
        className="flex gap-2 text-dim"
        title="Prices at which one wallet rests 2 % or more of the side's size within the distance"
      >
        Single-wallet walls{' '}
        <span className="num">{count === walls.length ? count : `${walls.length} of ${count}`}</span>
      </h3>
      {walls.length === 0 ? (
        <p className="text-dim">None: no wallet has 2 % of a side at one price.</p>
      ) : (
        <ul>
          {walls.map(({ side, wall }) => (
            <WallLine
              key={`${side}${wall.px}${wall.user}`}
              side={side}
              wall={wall}
              sizeDecimals={frame.sizeDecimals}
              onOwner={onOwner}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface WallLineProps {
  readonly side: Side;
  readonly wall: Wall;
  readonly sizeDecimals: number;
  readonly onOwner: (owner: Address) => void;
}

function WallLine({ side, wall, sizeDecimals, onOwner }: WallLineProps) {
  const { tick, onLevel } = useBookPage();
  const wallet = useWallet(wall.user);
  const { px, sz, orders, share, levelShare, bps } = wall;
  const open = () => {
    const level = levelOnTick(`${side}${px}`, tick);
    if (level !== undefined) onLevel(level);
  };
  return (
    <li className="relative h-[max(24px,1lh)]">
      <div className="own-layout flex items-center gap-3 whitespace-nowrap">
        <button
          type="button"
          onClick={open}
          title={`${counted(orders, 'order')}, ${shareText(levelShare)} of the price's size: open its queue`}
          className={`num h-full w-[9ch] shrink-0 text-right hover:underline ${side === 'B' ? 'text-bid' : 'text-ask'}`}
        >
          {grouped(px)}
        </button>
        <span className="num w-[11ch] shrink-0 text-right">{decimalText(sz, sizeDecimals)}</span>
        <span className="num w-[7ch] shrink-0 text-right text-dim">{shareText(share)}</span>
        <span className="num w-[9ch] shrink-0 text-right text-dim max-sm:hidden">{bps} bps</span>
        <button
          type="button"
          onClick={() => onOwner(wall.user)}
          className="ml-auto flex h-full min-w-6 items-center hover:underline"
        >
          <WalletName wallet={wallet} />
        </button>
      </div>
    </li>
  );
}
