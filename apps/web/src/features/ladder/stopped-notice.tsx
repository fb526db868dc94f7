import type { CreditShortage } from '../../book-worker/messages.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { secondsText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { creditsResetText } from '../../ui/page/advice.ts';
import { useTime } from '../../ui/use-time.ts';

/** The book is no longer followed, for lack of credits or because the service refused it: says what to do, and offers a retry. */
export function StoppedNotice() {
  const isStopped = useBook(
    ({ status }) => status !== undefined && (status.shortage !== undefined || status.state.reason === 'refused'),
  );
  return isStopped ? <Stopped /> : null;
}

function Stopped() {
  const live = useLive();
  const status = useBook(({ status }) => status);
  const shortage = status?.shortage;
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
            <strong className="text-strong">Not followed.</strong> {status?.state.detail}.
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
