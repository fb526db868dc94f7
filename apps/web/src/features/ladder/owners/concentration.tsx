import { useLiveTicks } from '../../../book-worker/live-context.tsx';
import type { LensSide, OwnerLens } from '../../../book-worker/panes/owners.ts';
import { columnDecimals, decimalText } from '../../../ui/format.ts';
import { SlowText } from '../live-text.tsx';
import { leanText, shareText } from './texts.ts';

interface LensTextProps {
  readonly room: number;
  readonly of: (lens: OwnerLens) => string;
}

/** A number of the lens, right-aligned in `room` characters; written outside React. */
function LensText({ room, of }: LensTextProps) {
  return (
    <SlowText
      pane="owners"
      room={room}
      read={({ owners }) => (owners === undefined ? '' : of(owners.lens).padStart(room))}
    />
  );
}

/**
 * The imbalance of sizes within the distance, and how concentrated they are by wallet; placed between both sides, where the mid
 * is. The box has a fixed height, so that changes in it lay out nothing else.
 */
export function Concentration() {
  // A mid has one decimal more than the tick at most.
  const decimals = columnDecimals(useLiveTicks().slice(0, 1)) + 1;
  return (
    <div className="relative h-[calc(4lh+8px)] shrink-0 text-11">
      <div className="absolute inset-0 contain-strict">
        <table aria-label="Concentration" className="num h-full w-full border-y border-line text-12">
          <thead>
            <tr className="font-sans text-11 text-dim">
              <th scope="col" className="px-3 py-0.5 text-left font-normal">
                mid{' '}
                <span className="text-text">
                  <LensText room={0} of={({ mid }) => (mid === null ? '—' : decimalText(mid, decimals))} />
                </span>
              </th>
              <th scope="col" className="px-2 text-right font-normal" title="Part of the largest wallet">
                top 1
              </th>
              <th scope="col" className="px-2 text-right font-normal" title="Part of the five largest wallets">
                top 5
              </th>
              <th
                scope="col"
                className="px-3 text-right font-normal"
                title="Herfindahl index, the sum of the squares of all parts: 1 when one wallet has it all"
              >
                HHI
              </th>
            </tr>
          </thead>
          <tbody>
            <Row name="Asks" look="text-ask" sideOf={({ asks }) => asks} />
            <Row name="Bids" look="text-bid" sideOf={({ bids }) => bids} />
            <tr>
              <th scope="row" className="px-3 pb-0.5 text-left font-sans font-normal text-dim">
                skew
              </th>
              <td
                colSpan={3}
                className="px-3 pb-0.5 text-right"
                title="(bids − asks) ÷ (bids + asks) of all sizes within the distance"
                data-field="skew"
              >
                <LensText room={5} of={({ skew }) => leanText(skew)} />
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly look: string;
  readonly sideOf: (lens: OwnerLens) => LensSide;
}

function Row({ name, look, sideOf }: RowProps) {
  return (
    <tr>
      <th scope="row" className={`px-3 text-left font-sans font-normal ${look}`}>
        {name}
      </th>
      <td className="px-2 text-right">
        <LensText room={6} of={(lens) => shareText(sideOf(lens).top1)} />
      </td>
      <td className="px-2 text-right">
        <LensText room={6} of={(lens) => shareText(sideOf(lens).top5)} />
      </td>
      <td className="px-3 text-right">
        <LensText room={5} of={(lens) => sideOf(lens).hhi.slice(0, 5)} />
      </td>
    </tr>
  );
}
