import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { Button } from '../../ui/button.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { useTime } from '../../ui/use-time.ts';
import { OwnerName } from '../../wallets/wallet-mark.tsx';
import type { OrderRow } from './order-rows.ts';
import type { AskedOrders, AskState } from './use-order-calls.ts';

/** Every call behind the page: how fresh it is, how many rows it returned, and how far back it reaches. */
export function CoveragePanel({ asked }: { readonly asked: readonly AskedOrders[] }) {
  const earliest = earliestOf(asked.map((item) => coverageIn(item)?.from));
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dim">
        The history returns at most a wallet’s {wholeText(HISTORICAL_ORDERS_LIMIT_MAX)} most recent rows. Older rows are
        not available.
      </p>
      <ul className="flex flex-col">
        {asked.map((item) => (
          <CallLine key={item.ask.id} asked={item} earliest={earliest} />
        ))}
      </ul>
    </div>
  );
}

function CallLine({ asked, earliest }: { readonly asked: AskedOrders; readonly earliest: number | undefined }) {
  const { ask, rows, state, at } = asked;
  const time = useTime();
  const coverage = coverageIn(asked);
  return (
    <li className="flex flex-col border-t border-line py-1" data-ask={ask.id}>
      <span className="flex flex-wrap items-center justify-between gap-x-2">
        <OwnerName user={ask.address} />
        <span className="num text-12">
          {ask.call}
          {ask.dex !== '' && ` ${ask.dex}`}
        </span>
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-2 text-12">
        <span className={state.kind === 'ok' || state.kind === 'asking' ? 'text-dim' : 'text-stale'}>
          {STATE_TEXTS[state.kind]}
          {rows !== undefined && `, ${counted(rows.length, 'row')}`}
        </span>
        <Age at={at} />
      </span>
      {coverage?.from !== undefined && (
        <span className="flex flex-wrap items-center gap-x-2 text-12 text-dim">
          <Reach capped={coverage.capped} earliest={earliest} from={coverage.from} until={at ?? coverage.from} />
          <span>
            {coverage.capped ? 'cap reached: ' : 'complete: '}
            {time.second(coverage.from)} → now
          </span>
        </span>
      )}
    </li>
  );
}

const coverageIn = ({ ask, rows }: AskedOrders): Coverage | undefined =>
  rows && ask.call === 'historicalOrders' ? coverageOf(rows) : undefined;

const STATE_TEXTS: Readonly<Record<AskState['kind'], string>> = {
  never: 'not requested yet',
  asking: 'loading',
  ok: 'loaded',
  stale: '~ last call failed, earlier data kept',
  failed: '! failed, no data',
};

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
            Below the {cap}-row cap: everything the exchange reports, {since} → now
          </>
        ) : wallets === 1 ? (
          <>
            {cap}-row cap reached: covers {since} → now
          </>
        ) : (
          <>
            {cap}-row cap reached by {wholeText(capped)} of {counted(wallets, 'wallet')}: all wallets are covered{' '}
            {since} → now
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
function Reach({ capped, earliest, from, until }: ReachProps) {
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

/** How far back the history of one wallet reaches. */
interface Coverage {
  /** The response has as many rows as the call ever returns: older rows may exist and cannot be loaded. */
  readonly capped: boolean;
  /** The earliest status in the response, in ms; undefined without rows. */
  readonly from: number | undefined;
}

export function coverageOf(rows: readonly OrderRow[]): Coverage {
  return {
    capped: rows.length >= HISTORICAL_ORDERS_LIMIT_MAX,
    from: earliestOf(rows.map(({ entry }) => entry.statusTimestamp)),
  };
}

/** The earliest of some times; undefined without any. */
export function earliestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (least, time) => (least === undefined || (time !== undefined && time < least) ? time : least),
    undefined,
  );
}

export function jointCoverage(coverages: readonly Coverage[]) {
  const capped = coverages.filter((coverage) => coverage.capped);
  const earliest = earliestOf(coverages.map(({ from }) => from));
  return {
    wallets: coverages.length,
    capped: capped.length,
    from: capped.length === 0 ? earliest : Math.max(...capped.map(({ from = 0 }) => from)),
    earliest,
  };
}
