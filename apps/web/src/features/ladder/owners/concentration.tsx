import type { LensSide, OwnersData } from '../../../book-worker/panes/owners.ts';
import { useLiveTicks } from '../../../book-worker/use-book.ts';
import { columnDecimals, decimalText } from '../../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../../ui/group-of-hints.ts';
import { leanText, shareText } from './texts.ts';

const MEASURES = [
  ['top 1', 'the part of the largest wallet in the side’s size'],
  ['top 5', 'the part of the five largest wallets'],
  ['HHI', 'Herfindahl index, the sum of the squares of all parts: 1 when one wallet has it all'],
] as const;

/**
 * The imbalance of sizes within the distance, and how concentrated they are by wallet; placed between both sides, where the mid
 * is. The box has a fixed height, so that changes in it lay out nothing else.
 */
export function Concentration({ lens }: { readonly lens: OwnersData }) {
  // A mid has one decimal more than the tick at most.
  const decimals = columnDecimals(useLiveTicks().slice(0, 1)) + 1;
  return (
    <div className="relative h-[calc(3lh+8px)] shrink-0 text-11">
      <div className="absolute inset-0 contain-strict">
        <table
          {...GROUP_OF_HINTS}
          aria-label="Concentration"
          className="num h-full w-full border-y border-line text-12"
        >
          <thead>
            <tr className="font-sans text-11 text-dim">
              <th scope="col" className="px-3 py-0.5 text-left font-normal">
                mid <span className="num text-text">{lens.mid === null ? '—' : decimalText(lens.mid, decimals)}</span>
                <span title="skew: (bids − asks) ÷ (bids + asks) of all sizes within the distance" className="ml-3">
                  skew{' '}
                  <span data-field="skew" className="num text-text">
                    {leanText(lens.skew)}
                  </span>
                </span>
              </th>
              {MEASURES.map(([name, hint]) => (
                <th key={name} scope="col" className="px-2 text-right font-normal last:px-3" title={`${name}: ${hint}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row name="Asks" look="text-ask" side={lens.asks} />
            <Row name="Bids" look="text-bid" side={lens.bids} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly look: string;
  readonly side: LensSide;
}

function Row({ name, look, side }: RowProps) {
  return (
    <tr>
      <th scope="row" className={`px-3 text-left font-sans font-normal ${look}`}>
        {name}
      </th>
      <td className="px-2 text-right">{shareText(side.top1)}</td>
      <td className="px-2 text-right">{shareText(side.top5)}</td>
      <td className="px-3 text-right">{side.hhi.slice(0, 5)}</td>
    </tr>
  );
}
