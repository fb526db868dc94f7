import { ServiceError } from '@l4desk/client';
import { usePreferences } from '../../state/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { adviceOf, isNotServed, isRefusal, isUnreachable } from '../../ui/page/advice.ts';
import { Age, FailedBand } from '../../ui/page/states.tsx';
import { OwnerName } from '../../wallets/wallet-mark.tsx';
import { type AskedOrders, type AskState, creditsOf, type OrderAsk } from './use-order-calls.ts';

interface CallStatesProps {
  readonly asked: readonly AskedOrders[];
  readonly onRetry: (asks: readonly OrderAsk[]) => void;
  readonly onLeaveOut: (dex: string) => void;
}

/** Failed calls, shown above the orders: which orders are missing or old, why, and a button to retry. */
export function CallStates({ asked, onRetry, onLeaveOut }: CallStatesProps) {
  const failed = asked.filter(({ state }) => state.kind === 'failed' || state.kind === 'stale');
  const unknown = new Map(failed.flatMap(({ ask: { dex }, state }) => (isUnknownDex(state) ? [[dex, state]] : [])));
  const notServed = new Map(
    failed.flatMap(({ ask: { call }, state }) => (isNotServed(errorOf(state)) ? [[call, state]] : [])),
  );
  const hasOrders = asked.some(({ rows }) => rows !== undefined);
  return (
    <>
      {/* The same for every wallet, and every time. */}
      {[...unknown].map(([dex, state]) => (
        <FailedBand
          key={dex}
          of={dex}
          error={errorOf(state)}
          action={
            <Button look="plain" onClick={() => onLeaveOut(dex)}>
              Remove {dex}
            </Button>
          }
        />
      ))}
      {[...notServed].map(([call, state]) => (
        <FailedBand key={call} of={call} error={errorOf(state)} kept={hasOrders} />
      ))}
      {asked.flatMap(({ ask, unreadable: [first, ...more] }) =>
        first === undefined ? (
          []
        ) : (
          <Notice key={ask.id}>
            {counted(more.length + 1, 'row')} of {ask.call} could not be read and {more.length === 0 ? 'is' : 'are'}{' '}
            missing: <OwnerName user={ask.address} />, <span className="num text-12">{first.message}</span>
          </Notice>
        ),
      )}
      <FailedCalls
        asked={asked}
        failed={failed.filter(({ state }) => !isUnknownDex(state) && !isNotServed(errorOf(state)))}
        onRetry={onRetry}
      />
    </>
  );
}

function isUnknownDex(state: AskState): boolean {
  const error = errorOf(state);
  return error instanceof ServiceError && error.path === 'dex';
}

interface FailedCallsProps extends Omit<CallStatesProps, 'onLeaveOut'> {
  readonly failed: readonly AskedOrders[];
}

function FailedCalls({ asked, failed, onRetry }: FailedCallsProps) {
  const [first] = failed;
  if (first === undefined) return null;
  // A refusal says nothing about any wallet: one band for all of them.
  if (failed.every(({ state }) => isRefusal(errorOf(state)))) {
    return <FailedBand error={errorOf(first.state)} kept={asked.some(({ rows }) => rows !== undefined)} />;
  }
  const asks = failed.filter(({ state }) => mayRetry(state)).map(({ ask }) => ask);
  if (asked.length > 1 && asked.every(({ state }) => isUnreachable(errorOf(state)))) {
    return <FailedBand error={errorOf(first.state)} onRetry={() => onRetry(asks)} credits={creditsOf(asks)} />;
  }
  return (
    <section
      aria-label="Failed wallets"
      className="flex max-h-[30%] shrink-0 flex-col border-b border-line bg-surface-2"
    >
      <div role="alert" className="flex flex-wrap items-center gap-x-3 px-3 py-1">
        <strong className="text-stale">
          <span aria-hidden>! </span>
          {counted(failed.length, 'call')} of {asked.length} failed
        </strong>
        <span>Their orders are missing from the table, counts and statistics, or are older and greyed.</span>
        {asks.length > 1 && (
          <Button look="plain" price={creditsOf(asks)} onClick={() => onRetry(asks)}>
            Retry all
          </Button>
        )}
      </div>
      <ul className="min-h-0 overflow-y-auto">
        {failed.map((item) => (
          <CallRow key={item.ask.id} asked={item} onRetry={() => onRetry([item.ask])} />
        ))}
      </ul>
    </section>
  );
}

function errorOf(state: AskState): unknown {
  return state.kind === 'failed' || state.kind === 'stale' ? state.error : undefined;
}

function mayRetry(state: AskState): boolean {
  return adviceOf(errorOf(state), 'utc').retryable;
}

function CallRow({ asked, onRetry }: { readonly asked: AskedOrders; readonly onRetry: () => void }) {
  const { ask, state, at, refreshing } = asked;
  const zone = usePreferences(({ timeZone }) => timeZone);
  if (state.kind !== 'failed' && state.kind !== 'stale') return null;
  const advice = adviceOf(state.error, zone, state.kind === 'stale');
  const detail = state.error instanceof Error ? state.error.message : String(state.error);
  return (
    <li
      data-ask={ask.id}
      data-state={state.kind}
      className="flex flex-wrap items-center gap-x-3 border-t border-line px-3 py-0.5"
    >
      <OwnerName user={ask.address} />
      <span className="num text-12">
        {ask.call}
        {ask.dex !== '' && ` ${ask.dex}`}
      </span>
      <span className="text-strong">{advice.title}</span>
      <span className="num min-w-0 text-12 break-words text-dim">{detail}</span>
      <span className="text-12">
        {state.kind === 'stale' ? (
          <>
            <span className="text-stale">~ earlier rows, </span>
            <Age at={at} />
          </>
        ) : (
          <span className="text-stale">– no rows</span>
        )}
      </span>
      <span className="ml-auto">
        {advice.retryable && (
          <Button look="plain" price={creditsOf([ask])} disabled={refreshing} onClick={onRetry}>
            Retry
          </Button>
        )}
      </span>
    </li>
  );
}
