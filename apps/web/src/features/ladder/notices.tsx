import type { DecimalString } from '@l4desk/protocol';
import { useEffect } from 'react';
import type { CreditShortage, LiveStatus } from '../../book-worker/messages.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { counted, secondsText, wholeText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { creditsResetText } from '../../ui/page/advice.ts';
import { useTime } from '../../ui/use-time.ts';

interface TickNoticeProps {
  readonly coin: string;
  /** The tick that the URL asks for. */
  readonly asked: string | undefined;
  /** The coin's ticks, finest first; empty until known. */
  readonly ticks: readonly DecimalString[];
  readonly onDismiss: () => void;
}

/** Says that the coin has no such tick, and which one is shown instead. */
export function TickNotice({ coin, asked, ticks, onDismiss }: TickNoticeProps) {
  const [finest] = ticks;
  if (asked === undefined || finest === undefined || ticks.some((offered) => offered === asked)) return null;
  return (
    <Notice onDismiss={onDismiss}>
      <p>
        {coin} has no grouping of {asked}. It can be grouped by {ticks.join(', ')}; showing {finest}.
      </p>
    </Notice>
  );
}

interface BlockNoticeProps {
  readonly coin: string;
  /** The height that the URL asks for. */
  readonly block: number;
  readonly onDismiss: () => void;
}

/** Holds the ladder at a future block. For a past block it says what this page knows: not its book, but its proof. */
export function BlockNotice({ coin, block, onDismiss }: BlockNoticeProps) {
  const live = useLive();
  const status = useBook(({ status }) => status);
  useEffect(() => {
    live.choose({ kind: 'hold', hold: { coin, height: block } });
    return () => live.choose({ kind: 'hold', hold: undefined });
  }, [live, coin, block]);
  const mine = status?.coin === coin ? status : undefined;
  const ahead = block - (mine?.position?.height ?? block);
  return (
    <Notice onDismiss={onDismiss}>
      <p data-part="block">
        {blockText(mine, block)}
        {mine?.holdAt === block && ahead > 0 && (
          // This counts down with every block: hidden from screen readers.
          <span aria-hidden className="num text-12">
            {' '}
            {counted(ahead, 'block')} to go.
          </span>
        )}
      </p>
    </Notice>
  );
}

export function blockText(status: LiveStatus | undefined, block: number): string {
  const name = `Block ${wholeText(block)}`;
  const position = status?.position;
  if (status === undefined || position === undefined) return `${name}: the book is loading.`;
  const { coin, frozen, verification } = status;
  if (status.holdAt === block) return `${name} has not arrived yet. The ladder and its queues will pause at it.`;
  if (frozen?.height === block) return `The ladder and its queues are paused at block ${wholeText(block)}.`;
  if (frozen?.asked === block) {
    return `${coin} did not change at block ${wholeText(block)}. The ladder is paused at its next change, block ${wholeText(frozen.height)}.`;
  }
  if (position.height < block) return `${name} has not arrived yet.`;
  if (position.height === block) return `${name} is the current block. The ladder continues with the next one.`;
  const parts = [
    `${name} has passed. The service keeps only the current book, so the ${coin} book at that block cannot be shown.`,
  ];
  if (status.builtAt === undefined || status.builtAt > block) {
    parts.push(
      `This page has followed ${coin} since block ${wholeText(status.builtAt ?? position.height)}, so it cannot verify that block.`,
    );
  } else if (status.state.kind === 'live') {
    const [from, to] = [status.builtAt, position.height].map(wholeText);
    parts.push(
      `The book shown includes it: built at block ${from}, with every change up to block ${to} applied without a gap.`,
    );
  }
  if (verification?.kind === 'equal' && verification.height >= block) {
    parts.push(`A fresh snapshot at block ${wholeText(verification.height)} matched, order by order.`);
  }
  return parts.join(' ');
}

/** The book is no longer followed, for lack of credits or because the service refused it: says what to do, and offers a retry. */
export function StoppedNotice() {
  const live = useLive();
  const shortage = useBook(({ status }) => status?.shortage);
  const refusal = useBook(({ status }) => (status?.state.reason === 'refused' ? status.state.detail : undefined));
  if (shortage === undefined && refusal === undefined) return null;
  return (
    <Notice
      action={
        <Button look="plain" onClick={() => live.retry()}>
          Retry
        </Button>
      }
    >
      <p data-part="stopped">
        {shortage === undefined ? (
          <>
            <strong className="text-strong">Not followed.</strong> {refusal}.
          </>
        ) : (
          <Shortage credits={shortage.credits} lookAt={shortage.lookAt} />
        )}
      </p>
    </Notice>
  );
}

function Shortage({ credits, lookAt }: Pick<CreditShortage, 'credits' | 'lookAt'>) {
  const { zone } = useTime();
  const now = useNow();
  return (
    <>
      <strong className="text-strong">No credits left: the book is not updating.</strong>{' '}
      {credits !== undefined && creditsResetText(credits, zone)} It resumes automatically when credits are available
      {/* A countdown: hidden from screen readers. */}
      <span aria-hidden className="num text-12">
        ; next check in {secondsText(Math.max(0, lookAt - now))}
      </span>
      .
    </>
  );
}
