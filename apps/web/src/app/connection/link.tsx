import { disconnectText, STALE_AFTER_MS } from '../../book-worker/integrity.ts';
import type { BookState } from '../../book-worker/live.ts';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { useBook } from '../../book-worker/use-book.ts';
import { classNames } from '../../ui/class-names.ts';
import { secondsText } from '../../ui/format.ts';

/** The state of one link between the exchange and this page; `well` is undefined while nothing is known. */
export interface Link {
  readonly well: boolean | undefined;
  readonly text: string;
  readonly reason: string;
}

/** Filled while the link is well, an outline while it is not, fainter while nothing is known. */
export function Dot({ well }: Pick<Link, 'well'>) {
  return (
    <span
      aria-hidden
      className={classNames(
        'size-2 shrink-0 rounded-full',
        well === true ? 'bg-exact' : well === false ? 'border border-stale bg-transparent' : 'border border-edge',
      )}
    />
  );
}

/** The page's own stream. Its reason changes every second while it is well: only what shows it then asks for it `'always'`. */
export function useStreamLink(reasonWanted: 'always' | 'while unwell'): Link {
  return useBook((book) => {
    const link = streamOf(book);
    return link.well !== true || reasonWanted === 'always' ? link : { ...link, reason: '' };
  });
}

function streamOf({ failure, status, now }: BookState): Link {
  return failure === undefined ? describe(status, now) : { well: false, text: 'Page error', reason: failure };
}

function describe(status: LiveStatus | undefined, now: number): Link {
  const connection = status?.connection;
  if (status === undefined || connection === undefined)
    return { well: undefined, text: 'Starting', reason: 'Starting' };
  if (status.shortage !== undefined) {
    return { well: false, text: 'No credits', reason: 'No credits are left to follow a book' };
  }
  switch (connection.kind) {
    case 'connecting':
      return { well: undefined, text: 'Connecting', reason: `Attempt ${connection.attempt}` };
    case 'waiting': {
      const rest = secondsText(connection.retryAt - now);
      return { well: false, text: `Reconnecting in ${rest}`, reason: disconnectText(connection.reason) };
    }
    case 'stopped':
      return { well: false, text: 'Disconnected', reason: 'The stream has stopped' };
    case 'open': {
      const silent = status.lastMessageAt === undefined ? 0 : now - status.lastMessageAt;
      if (silent > STALE_AFTER_MS) {
        return { well: false, text: `Silent for ${secondsText(silent)}`, reason: 'No data is arriving' };
      }
      return { well: true, text: 'Connected', reason: `Connected for ${secondsText(now - connection.since)}` };
    }
  }
}
