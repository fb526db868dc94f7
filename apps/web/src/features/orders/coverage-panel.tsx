import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { counted, wholeText } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { useTime } from '../../ui/use-time.ts';
import { OwnerName } from '../../wallets/wallet-mark.tsx';
import { type Coverage, coverageOf, earliestOf } from './coverage.ts';
import { Reach } from './coverage-bar.tsx';
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
            <span className="num">{time.second(coverage.from)}</span> → now
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
