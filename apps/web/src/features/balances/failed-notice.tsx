import { WalletError } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { FailedBand } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import type { Ledger, WalletFailure } from './ledger.ts';
import { roundCredits } from './use-ledger.ts';

interface FailedNoticeProps {
  readonly ledger: Ledger;
  /** Wallets in the choice whose last call failed. */
  readonly failed: readonly Address[];
  readonly wallets: number;
  readonly isBusy: boolean;
  readonly onRetry: (users: readonly Address[]) => void;
}

/** Which wallets failed and why, in the exchange's words, and one way to ask them all again. */
export function FailedNotice({ ledger, failed, wallets, isBusy, onRetry }: FailedNoticeProps) {
  const errors = failed.flatMap((user) => ledger.holdings.get(user)?.failed?.error ?? []);
  const retryable = failed.filter((user) => ledger.holdings.get(user)?.failed?.error.retryable);
  const retry = () => onRetry(retryable);
  const price = roundCredits(retryable.length);
  if (ledger.fault !== undefined) return <FailedBand error={ledger.fault} />;
  const [first] = errors;
  if (first === undefined) return null;
  // Whole calls failed, and all for one reason: the page's words for it.
  if (!(first instanceof WalletError) && errors.every(({ code }) => code === first.code)) {
    return retryable.length > 0 ? (
      <FailedBand error={first} onRetry={isBusy ? undefined : retry} credits={price} />
    ) : (
      <FailedBand error={first} />
    );
  }
  return (
    <Notice
      action={
        retryable.length > 0 && (
          <Button look="plain" disabled={isBusy} onClick={retry}>
            {retryable.length === 1 ? 'Retry this wallet' : `Retry these ${retryable.length} wallets`}{' '}
            <PriceTag credits={price} />
          </Button>
        )
      }
    >
      <strong className="text-strong">
        {failed.length} of {counted(wallets, 'wallet')} failed.
      </strong>{' '}
      They keep their last good values, greyed, and are not in the sums.{' '}
      {reasons(errors).map(([message, count]) => (
        <span key={message} className="num text-12">
          {count} × {message}.{' '}
        </span>
      ))}
    </Notice>
  );
}

/** Different messages shown; each wallet's own stands in its row. */
const REASONS_SHOWN = 3;

function reasons(errors: readonly WalletFailure[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { message } of errors) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN);
}
