import type { DecimalString } from '@l4desk/protocol';
import { Notice } from '../../ui/notice.tsx';
import { invalidParameters, type LadderSearch, readChoices } from './search.ts';

interface SearchNoticeProps {
  readonly coin: string;
  readonly search: LadderSearch;
  readonly ticks: readonly DecimalString[];
  /** Leaves in the address what was understood. */
  readonly onDismiss: (clean: LadderSearch) => void;
}

/** Says which parts of the address were not understood, and what is shown instead. */
export function SearchNotice({ coin, search, ticks, onDismiss }: SearchNoticeProps) {
  const invalid = invalidParameters(search);
  const understood = readChoices(search);
  const { tick } = understood;
  const finest = ticks[0];
  const unoffered = tick !== undefined && finest !== undefined && !ticks.some((offered) => offered === tick);
  if (invalid.length === 0 && !unoffered) return null;
  return (
    <Notice onDismiss={() => onDismiss({ ...understood, tick: unoffered ? undefined : tick })}>
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
