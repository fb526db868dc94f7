import type { Address, Side } from '@l4desk/protocol';
import { memo, useMemo, useRef, useState } from 'react';
import type { LensOwner } from '../../../book-worker/panes/owners.ts';
import { useSlowPane } from '../../../book-worker/use-slow-pane.ts';
import { NARROW, useMedia } from '../../../hooks/use-media.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { DISTANCES, ladderSearch } from '../search.ts';
import { HELD_TITLE, useListHold } from '../use-list-hold.ts';
import { Concentration } from './concentration.tsx';
import { DEFAULT_DISTANCE } from './distance.ts';
import { OwnerActions } from './owner-actions.tsx';
import { LISTED, OwnersGrid } from './owners-grid.tsx';
import { RequoteSpan } from './requote-span.tsx';
import { heldBlockText } from './texts.ts';
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
  const ask = useMemo(() => ({ withinBps, limit: LISTED }), [withinBps]);
  const frame = useSlowPane('owners', ask);
  const owners = frame?.owners;
  const content = owners && (owners.lens.mid === null ? 'noMid' : 'known');
  const [chosen, setChosen] = useState<Address>();
  const box = useRef<HTMLElement>(null);
  const isHeld = useListHold(box);
  const isSheet = useMedia(NARROW);
  const [side, setSide] = useState<Side>('B');
  const isKnown = content === 'known';
  // A sheet has room only for the list and the chosen wallet.
  const isCrowded = isSheet && chosen !== undefined;
  const onOpen = ({ user }: Pick<LensOwner, 'user'>) =>
    setChosen((last) => (user === null || user === last ? undefined : user));
  const list = { frame, chosen, isHeld, onOpen };

  return (
    <section
      ref={box}
      aria-label="Owners near the mid"
      data-part="owners"
      data-height={owners?.height}
      data-within={owners?.lens.withinBps}
      data-held={isHeld}
      className="@container/owners flex min-h-0 grow flex-col overflow-y-auto"
    >
      <div className="flex items-center gap-x-3 border-b border-line px-3 py-1 whitespace-nowrap max-sm:flex-wrap">
        <Distance />
        {isSheet && <Segmented name="Side" value={side} options={SIDE_OPTIONS} onChange={setSide} />}
        {isKnown && (
          <OtherBlock
            pane="owners"
            title={isHeld ? HELD_TITLE : 'Owners are added up twice a second'}
            instead={isHeld ? heldBlockText : undefined}
          />
        )}
      </div>
      {content === 'noMid' ? (
        <PaneHint>The book has no mid: one of its sides is empty.</PaneHint>
      ) : (
        <>
          {/* The grids stay mounted until the next response arrives: a new one would be blank at first. */}
          {(!isSheet || side === 'A') && <OwnersGrid side="A" {...list} />}
          {!isCrowded && isKnown && <Concentration />}
          {(!isSheet || side === 'B') && <OwnersGrid side="B" {...list} />}
          {!isCrowded && isKnown && <RequoteSpan />}
          {!isCrowded && isKnown && <Walls frame={frame} isHeld={isHeld} onOwner={setChosen} />}
          {chosen !== undefined && <OwnerActions address={chosen} frame={frame} onClose={() => setChosen(undefined)} />}
        </>
      )}
    </section>
  );
}

/** The distance from the mid within which wallets are counted. It does not render again when the counts change. */
const Distance = memo(function Distance() {
  const { choices, change } = usePageSearch(ladderSearch);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="text-12 text-dim">±</span>
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
