import type { DecimalString } from '@l4desk/protocol';
import { Notice } from '../../ui/notice.tsx';

interface TickNoticeProps {
  readonly coin: string;
  /** The tick that the URL asks for. */
  readonly asked: string | undefined;
  /** The coin's ticks, finest first; empty until known. */
  readonly ticks: readonly DecimalString[];
  /** Removes the tick from the URL. */
  readonly onDismiss: () => void;
}

/** Says that the coin has no such tick, and which one is shown instead. */
export function TickNotice({ coin, asked, ticks, onDismiss }: TickNoticeProps) {
  const [finest] = ticks;
  if (asked === undefined || finest === undefined || ticks.some((offered) => offered === asked)) return null;
  return (
    <Notice onDismiss={onDismiss}>
      <p>
        {coin} has no grouping of <span className="num text-12">{asked}</span>. It can be grouped by{' '}
        <span className="num text-12">{ticks.join(', ')}</span>; showing {finest}.
      </p>
    </Notice>
  );
}
