import type { DecimalString } from '@l4desk/protocol';
import { useLocation } from '@tanstack/react-router';
import { Notice } from '../../ui/notice.tsx';
import { invalidParameters } from './search.ts';

interface SearchNoticeProps {
  readonly coin: string;
  readonly tick: string | undefined;
  readonly ticks: readonly DecimalString[];
  /** Cleans the address; what of the tick may stay is handed over. */
  readonly onDismiss: (tick: string | undefined) => void;
}

/** Says which parts of the address were not understood, and what is shown instead. */
export function SearchNotice({ coin, tick, ticks, onDismiss }: SearchNoticeProps) {
  const { searchStr } = useLocation();
  const invalid = invalidParameters(searchStr);
  const finest = ticks[0];
  const unoffered = tick !== undefined && finest !== undefined && !ticks.some((offered) => offered === tick);
  if (invalid.length === 0 && !unoffered) return null;
  return (
    <Notice onDismiss={() => onDismiss(unoffered ? undefined : tick)}>
      {invalid.length > 0 && (
        <p>
          The address holds <span className="num text-12">{invalid.join(' and ')}</span>, which this page does not
          understand; it shows its default instead.
        </p>
      )}
      {unoffered && (
        <p>
          {coin} is not grouped by <span className="num text-12">{tick}</span>; its ticks are{' '}
          <span className="num text-12">{ticks.join(', ')}</span>. Shown by {finest}.
        </p>
      )}
    </Notice>
  );
}
