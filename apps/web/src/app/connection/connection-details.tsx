import type { Readiness } from '@l4desk/protocol';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import { useUpstreamOverdue } from '../../book-worker/use-upstream-overdue.ts';
import { useNow } from '../../hooks/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { counted, secondsText } from '../../ui/format.ts';
import { Dot, type Link, useStreamLink } from './link.tsx';

const STREAM = 'Stream to this page';

const NO_STREAM: Link = { well: undefined, text: 'Not open', reason: 'Opens when you follow a book.' };

interface ConnectionDetailsProps {
  readonly service: Link;
  readonly upstream: Link;
  /** The followed book; undefined while none is followed, so that no stream is needed. */
  readonly book: Link | undefined;
  /** The service's last response, and when it came. */
  readonly data: Readiness | undefined;
  readonly at: number;
  /** The service responds: otherwise what it last said of its books is old. */
  readonly responds: boolean;
}

/** Every link between the exchange and this page, with the reason for its state. */
export function ConnectionDetails({ service, upstream, book, data, at, responds }: ConnectionDetailsProps) {
  return (
    <dl className="grid w-80 max-w-full grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      {book !== undefined ? <StreamLine /> : <Line name={STREAM} link={NO_STREAM} />}
      <Line name="Service" link={service} />
      <Line name="Upstream" link={upstream} />
      {book !== undefined && <Line name="Followed book" link={book} />}
      {data !== undefined && <UpstreamAge data={data} at={at} responds={responds} />}
    </dl>
  );
}

function Line({ name, link: { well, text, reason } }: { readonly name: string; readonly link: Link }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-dim">{name}</dt>
      <dd>
        <span className={classNames('flex items-center gap-1.5', well === false && 'text-stale')}>
          <Dot well={well} />
          {text}
        </span>
        <span className="block text-12 text-dim">{reason}</span>
      </dd>
    </div>
  );
}

function StreamLine() {
  return <Line name={STREAM} link={useStreamLink('always')} />;
}

interface UpstreamAgeProps extends Pick<ConnectionDetailsProps, 'at' | 'responds'> {
  readonly data: Readiness;
}

/** The books that the service holds, and the age of the upstream's last message. */
function UpstreamAge({ data, at, responds }: UpstreamAgeProps) {
  const { books, upstreamL4 } = data;
  const now = useNow();
  const all = Object.values(books);
  const live = all.filter(({ state }) => state === 'live').length;
  // Without blocks of any coin, no book is more proven at the service than here.
  const { word } = BOOK_STATE_TEXTS[useUpstreamOverdue(data) === undefined ? 'live' : 'suspect'];
  const text = `${live} of ${counted(all.length, 'book')} ${word.toLowerCase()}`;
  return (
    <>
      <dt className="text-dim">Last message</dt>
      <dd className="num text-12">
        {upstreamL4.ageMs === null ? 'nothing yet' : `${secondsText(upstreamL4.ageMs + Math.max(0, now - at))} ago`}
      </dd>
      <dt className="text-dim">Service’s books</dt>
      <dd>{responds ? (all.length === 0 ? 'none' : text) : 'not known'}</dd>
    </>
  );
}
