import type { Address, Side } from '@l4desk/protocol';
import { memo, useRef, useState } from 'react';
import type { OwnerRow } from '../../../book-worker/panes/owners.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { NARROW, useMedia } from '../../../hooks/use-media.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { secondsText, wholeText } from '../../../ui/format.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { DEFAULT_DISTANCE, DISTANCES, ladderSearch } from '../search.ts';
import { HELD_TITLE, useListHold } from '../use-list-hold.ts';
import { Concentration } from './concentration.tsx';
import { OwnerActions } from './owner-actions.tsx';
import { LISTED, OwnersGrid } from './owners-grid.tsx';
import { Walls } from './walls.tsx';

const DISTANCE_OPTIONS = DISTANCES.map((value) => ({ value, text: value, hint: `Within ${value} bps of the mid` }));

const SIDE_OPTIONS = [
  { value: 'B', text: 'Bids' },
  { value: 'A', text: 'Asks' },
] as const;

/**
 * The wallets near the mid on each side, and how much they rest. Wallets and walls keep
 * their rows while somebody points at the pane or moves in it by keyboard.
 */
export function OwnersPane() {
  const { choices } = usePageSearch(ladderSearch);
  const withinBps = choices.within ?? DEFAULT_DISTANCE;
  const owners = usePane('owners', { withinBps, limit: LISTED });
  const [chosen, setChosen] = useState<Address>();
  const box = useRef<HTMLElement>(null);
  const isHeld = useListHold(box);
  const isSheet = useMedia(NARROW);
  const [side, setSide] = useState<Side>('B');
  const hasMid = owners?.mid !== null;
  // A sheet has room only for the list and the chosen wallet.
  const isCrowded = isSheet && chosen !== undefined;
  const onOpen = ({ user }: OwnerRow) => setChosen((last) => (user === null || user === last ? undefined : user));
  const list = { owners, chosen, isHeld, onOpen };

  return (
    <section
      ref={box}
      aria-label="Owners near the mid"
      data-part="owners"
      data-height={owners?.height}
      data-within={owners?.withinBps}
      data-held={isHeld}
      className="flex min-h-0 grow flex-col overflow-y-auto [container:owners/size]"
    >
      <div className="flex items-center gap-x-3 border-b border-line px-3 py-1 whitespace-nowrap max-sm:flex-wrap max-sm:gap-x-1 max-sm:px-2">
        <Distance />
        {isSheet && <Segmented name="Side" value={side} options={SIDE_OPTIONS} onChange={setSide} />}
        {owners !== undefined && hasMid && (
          <OtherBlock
            height={owners.height}
            title={isHeld ? HELD_TITLE : 'Owners are added up twice a second'}
            instead={isHeld ? `rows held, of ${wholeText(owners.height)}` : undefined}
          />
        )}
      </div>
      {!hasMid ? (
        <PaneHint>The book has no mid: one of its sides is empty.</PaneHint>
      ) : (
        <>
          <div className="owner-sides min-h-0 grow">
            {/* The grids stay mounted until the next response arrives: a new one would be blank at first. */}
            {(!isSheet || side === 'A') && <OwnersGrid side="A" {...list} />}
            {!isCrowded && owners !== undefined && <Concentration lens={owners} />}
            {(!isSheet || side === 'B') && <OwnersGrid side="B" {...list} />}
          </div>
          {!isCrowded && owners !== undefined && (
            <>
              <RequoteSpan spanMs={owners.requoteSpanMs} />
              <Walls owners={owners} isHeld={isHeld} onOwner={setChosen} />
            </>
          )}
          {chosen !== undefined && (
            <OwnerActions address={chosen} owners={owners} onClose={() => setChosen(undefined)} />
          )}
        </>
      )}
    </section>
  );
}

/** The period over which requotes are counted; a pane without room for their column does not have it. */
function RequoteSpan({ spanMs }: { readonly spanMs: number | null }) {
  return (
    <p
      data-part="requote-span"
      data-span={spanMs ?? undefined}
      className="hidden px-3 py-0.5 text-11 text-dim [@container_owners_(width>=29rem)_and_(height>=36rem)]:block"
    >
      {spanMs === null ? (
        'rq/min: the shown block is no longer kept'
      ) : (
        <>rq/min: requotes under one cloid up to the shown block, over the kept {secondsText(spanMs)}</>
      )}
    </p>
  );
}

const Distance = memo(function Distance() {
  const { choices, change } = usePageSearch(ladderSearch);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="text-12 text-dim max-sm:hidden">±</span>
      <Segmented
        name="Distance from the mid in basis points"
        value={choices.within ?? DEFAULT_DISTANCE}
        options={DISTANCE_OPTIONS}
        onChange={(within) => change({ within: within === DEFAULT_DISTANCE ? undefined : within })}
      />
      <span className="text-12 text-dim max-sm:hidden">
        bps<span className="hidden @min-[33rem]/owners:inline"> of the mid</span>
      </span>
    </span>
  );
});
