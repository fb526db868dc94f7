import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { Button } from '../../ui/button.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { type Coverage, jointCoverage } from './coverage.ts';

interface CoverageBarProps {
  readonly coverages: readonly Coverage[];
  readonly until: number;
  readonly onOpen: () => void;
}

/** How far back the loaded history reaches, and whether the exchange has more than it returns. */
export function CoverageBar({ coverages, until, onOpen }: CoverageBarProps) {
  const time = useTime();
  const joint = jointCoverage(coverages);
  if (joint.wallets === 0) return null;
  const { capped, wallets, from, earliest } = joint;
  const cap = wholeText(HISTORICAL_ORDERS_LIMIT_MAX);
  const since = from === undefined ? '' : time.second(from);
  return (
    <div
      data-part="coverage"
      className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-0.5 text-12"
    >
      <span className="max-sm:hidden">
        <Reach capped={capped > 0} earliest={earliest} from={from} until={until} />
      </span>
      <span className={capped > 0 ? 'text-stale' : 'text-dim'}>
        {from === undefined ? (
          'The history has no rows.'
        ) : capped === 0 ? (
          <>
            Below the {cap}-row cap: everything the exchange reports, <span className="num">{since}</span> → now
          </>
        ) : wallets === 1 ? (
          <>
            {cap}-row cap reached: covers <span className="num">{since}</span> → now
          </>
        ) : (
          <>
            {cap}-row cap reached by {wholeText(capped)} of {counted(wallets, 'wallet')}: all wallets are covered{' '}
            <span className="num">{since}</span> → now
          </>
        )}
      </span>
      <span className="-mx-2">
        <Button onClick={onOpen}>Coverage by wallet</Button>
      </span>
    </div>
  );
}

interface ReachProps {
  readonly capped: boolean;
  readonly earliest: number | undefined;
  readonly from: number | undefined;
  readonly until: number;
}

/** A timeline: unknown (dotted), some wallets (thin), all wallets (solid). */
export function Reach({ capped, earliest, from, until }: ReachProps) {
  if (earliest === undefined || from === undefined) return null;
  const span = Math.max(1, until - earliest);
  // If older orders may exist, a tenth of the line stands for the time before the earliest row, however long that is.
  const unknown = capped ? 10 : 0;
  const place = (at: number) => `${(unknown + ((100 - unknown) * (at - earliest)) / span).toFixed(2)}%`;
  return (
    <span aria-hidden className="relative inline-block h-2 w-32 shrink-0">
      {capped && <span className="absolute top-[3px] left-0 w-[10%] border-t-2 border-dotted border-stale" />}
      <span className="absolute top-[3px] right-0 border-t-2 border-edge" style={{ left: `${unknown}%` }} />
      <span className="absolute top-0 right-0 h-2 rounded-4 bg-accent" style={{ left: place(Math.min(from, until)) }} />
    </span>
  );
}
