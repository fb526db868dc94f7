import { WalletError } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { useId } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { counted, shortAddress } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { adviceOf } from '../../ui/page/advice.ts';
import { Age, FailedBand } from '../../ui/page/states.tsx';
import { type Balances, type WalletFailure } from '../../wallets/balances/balance-store.ts';
import { type WalletEntry } from '../../wallets/balances/sums.ts';
import { roundCredits } from '../../wallets/balances/use-balances.ts';

interface FailedNoticeProps {
  readonly balances: Balances;
  /** Wallets in the choice whose last call failed. */
  readonly failed: readonly WalletEntry[];
  readonly wallets: number;
  readonly isBusy: boolean;
  readonly onlyFailed: boolean;
  readonly onOnlyFailed: (only: boolean) => void;
  readonly onRetry: (users: readonly Address[]) => void;
}

/** Which wallets failed and why, in the exchange's words, with buttons to show only them and to retry all of them. */
export function FailedNotice(props: FailedNoticeProps) {
  const { balances, failed, wallets, isBusy, onlyFailed, onOnlyFailed, onRetry } = props;
  const zone = usePreferences((state) => state.timeZone);
  const chargeId = useId();
  const failures = failed.flatMap(({ wallet }) => balances.holdings.get(wallet.address)?.failed?.error ?? []);
  const [first] = failures;
  if (first === undefined) {
    if (balances.fault === undefined) return null;
    return <FailedBand error={balances.fault.error} kept={balances.holdings.size > 0} />;
  }
  const retryable = failed
    .map(({ wallet }) => wallet.address)
    .filter((address) => balances.holdings.get(address)?.failed?.error.retryable);
  const kept = failed.filter(({ reading }) => reading !== undefined).length;
  const cause = balances.fault?.error ?? commonCause(failures);
  const advice = cause === undefined ? undefined : adviceOf(cause, zone, kept > 0);
  return (
    <Notice
      action={
        retryable.length > 0 && (
          <span className="flex flex-wrap items-center justify-end gap-x-2">
            <span id={chargeId} className="text-12 text-dim">
              Charged for any response, even if every wallet fails again.
            </span>
            <Button
              look="plain"
              price={roundCredits(retryable.length)}
              disabled={isBusy}
              aria-describedby={chargeId}
              onClick={() => onRetry(retryable)}
            >
              {retryable.length === 1 ? 'Retry this wallet' : `Retry these ${retryable.length} wallets`}
            </Button>
          </span>
        )
      }
    >
      <button
        type="button"
        aria-pressed={onlyFailed}
        className="rounded-4 font-semibold text-strong underline decoration-edge underline-offset-2 hover:decoration-current aria-pressed:bg-accent-soft"
        title={onlyFailed ? 'Show all wallets' : 'Show only failed wallets'}
        onClick={() => onOnlyFailed(!onlyFailed)}
      >
        {failed.length} of {counted(wallets, 'wallet')} failed
      </button>
      : <span className="private">{namesOf(failed)}</span>.{' '}
      {advice === undefined ? (
        <>
          {keptText(kept, failed.length, failed.length === wallets)}{' '}
          {reasons(failures).map(([message, count]) => (
            <span key={message} className="num text-12">
              {count} × {message}.{' '}
            </span>
          ))}
        </>
      ) : (
        <>
          <strong className="text-strong">{advice.title}.</strong> {advice.text}
        </>
      )}
    </Notice>
  );
}

interface StaleNoticeProps {
  readonly stale: readonly WalletEntry[];
  readonly isBusy: boolean;
  readonly onRead: (users: readonly Address[]) => void;
}

/** Which numbers are old, and why; their rows are greyed and marked with `~`. */
export function StaleNotice({ stale, isBusy, onRead }: StaleNoticeProps) {
  const reasons = [...new Set(stale.map(({ state }) => state.text))];
  const oldest = stale.reduce((at, { reading }) => Math.min(at, reading?.at ?? at), Number.POSITIVE_INFINITY);
  return (
    <Notice
      action={
        <Button
          look="plain"
          price={roundCredits(stale.length)}
          disabled={isBusy}
          onClick={() => onRead(stale.map(({ wallet }) => wallet.address))}
        >
          Refresh {stale.length === 1 ? 'it' : 'them'}
        </Button>
      }
    >
      <span data-part="stale">
        <strong className="text-strong">{counted(stale.length, 'wallet')} stale</strong>: {reasons.join('; ')}; the
        oldest values are <Age at={oldest} />. They are greyed and in the sums.
      </span>
    </Notice>
  );
}

/** The common error if whole calls failed for the same reason; the page has its own text for it. */
function commonCause(failures: readonly WalletFailure[]): WalletFailure | undefined {
  const [first] = failures;
  if (first === undefined || first instanceof WalletError) return undefined;
  return failures.every(({ code }) => code === first.code) ? first : undefined;
}

/** The most wallets named; the others are counted, and one click away. */
const NAMES_SHOWN = 4;

function namesOf(failed: readonly WalletEntry[]): string {
  const names = failed.slice(0, NAMES_SHOWN).map(({ wallet }) => wallet.label || shortAddress(wallet.address));
  const more = failed.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` +${more}` : ''}`;
}

function keptText(kept: number, failed: number, isAll: boolean): string {
  if (isAll && kept > 0) return 'Last good values and their sums are shown greyed.';
  if (kept === 0) return 'There are no earlier values; the sums exclude these wallets.';
  const who = kept === failed ? 'Last good values' : `Last good values of ${counted(kept, 'wallet')}`;
  return `${who} are shown greyed; the sums exclude them.`;
}

/** The most distinct messages shown; each wallet's own message is in its row. */
const REASONS_SHOWN = 3;

function reasons(failures: readonly WalletFailure[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { message } of failures) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN);
}
