import { isStaleUpstream, type Readiness } from '@l4desk/protocol';
import { type ServiceResponse, useServiceResponse } from '../api/readiness.ts';
import { BOOK_STATE_TEXTS, disconnectText, STALE_AFTER_MS } from '../book-worker/integrity.ts';
import type { BookState } from '../book-worker/live.ts';
import { useBook } from '../book-worker/use-book.ts';
import { useUpstreamOverdue } from '../book-worker/use-upstream-overdue.ts';
import { useNow } from '../hooks/use-now.ts';
import { classNames } from '../ui/class-names.ts';
import { counted, secondsText } from '../ui/format.ts';
import { Menu } from './menu.tsx';

/** The state of one link between the exchange and this page; `well` is undefined while nothing is known. */
interface Link {
  readonly well: boolean | undefined;
  readonly text: string;
  readonly reason: string;
}

/** Filled while the link is well, an outline while it is not, fainter while nothing is known. */
function Dot({ well }: Pick<Link, 'well'>) {
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

/**
 * Whether the pages can be showing current data. Checks the page's own stream (while it follows a book), then the service, then
 * the upstream behind it, then the book, and shows the first link that is not well.
 */
export function ConnectionBadge() {
  const { response, data, at } = useServiceResponse();
  const follows = useBook(({ isFollowing, failure }) => isFollowing || failure !== undefined);
  const service = serviceOf(data, response);
  const isRefused = useBook(isUnopened) && service.well === true;
  const found = useBook(streamOf);
  const stream = isRefused ? { ...found, reason: NO_UPGRADE } : found;
  const isCut = useBook(({ status }) => status?.times.upstream?.connected === false);
  const upstream = upstreamOf(data, isCut, useUpstreamOverdue(data));
  const book = useBookLink();
  // If the service is slow, the links behind it come first: they may give the reason, while a slow service explains no other
  // problem.
  const own = [...(follows ? [stream] : []), service];
  const behind = [upstream, ...(follows ? [book] : [])];
  const links = response.kind === 'slow' ? [...behind, ...own] : [...own, ...behind];
  const shown = links.find(({ well }) => well === false) ?? links.find(({ well }) => well !== true) ?? upstream;
  return (
    <Menu
      name="Connection"
      renderButton={(props) => (
        <button
          type="button"
          aria-label={`Connection: ${shown.text}`}
          title={shown.reason}
          className={classNames(
            'flex h-(--control) items-center gap-1.5 rounded-4 px-1 text-12 whitespace-nowrap hover:bg-surface-2 aria-expanded:bg-surface-2',
            shown.well === false ? 'text-stale' : 'text-dim',
          )}
          {...props}
        >
          <Dot well={shown.well} />
          {/* On a narrow screen a longer text would push the page down; there the book itself says what is wrong. */}
          <span className="max-sm:sr-only">{shown.text}</span>
        </button>
      )}
    >
      <Details
        {...{ service, upstream, data, at }}
        stream={follows ? stream : NO_STREAM}
        book={follows ? book : undefined}
        responds={response.kind !== 'none'}
      />
    </Menu>
  );
}

const fault = (text: string, reason: string): Link => ({ well: false, text, reason });

function serviceOf(data: Readiness | undefined, response: ServiceResponse): Link {
  if (response.kind === 'none') return fault('Service not responding', 'The page keeps retrying.');
  if (data?.status === 'shutting_down') return fault('Service shutting down', 'It stops accepting requests.');
  const problem = [data?.database, data?.ledger].find((check) => check?.status === 'failed')?.problem;
  if (problem !== undefined) return fault('Service degraded', problem);
  if (response.kind === 'slow') {
    const text = `Service slow, ${lastResponseText(response.ageMs)}`;
    return fault(text, 'Calls take seconds: the network or the service is slow.');
  }
  if (data === undefined) return { well: undefined, text: 'Connecting', reason: 'No response yet' };
  return { well: true, text: 'Service up', reason: 'Database and ledger are healthy.' };
}

function lastResponseText(ageMs: number | null): string {
  return ageMs === null ? 'no response yet' : `last response ${secondsText(ageMs)} ago`;
}

function upstreamOf(data: Readiness | undefined, isCut: boolean, overdue: string | undefined): Link {
  if (isCut || data?.upstreamL4.status === 'failed') {
    const reason = data?.upstreamL4.problem ?? 'The order-level feed is disconnected.';
    return fault('Upstream feed disconnected', reason);
  }
  if (data === undefined) return { well: undefined, text: 'Unknown', reason: 'No status from the service yet.' };
  if (overdue !== undefined) return fault('Upstream suspect', overdue);
  const { upstreamInfo } = data;
  if (upstreamInfo.status === 'failed') {
    return fault('Upstream queries failing', upstreamInfo.problem ?? 'Queries get no response.');
  }
  if (isStaleUpstream(upstreamInfo.lagMs)) {
    const reason = `Its state is ${secondsText(upstreamInfo.lagMs)} behind; pages mark what they read from it as stale.`;
    return fault('Upstream late', reason);
  }
  return { well: true, text: 'Upstream connected', reason: 'Order-level feed and queries are working.' };
}

/** The state of the followed book. A book that is still being built, or that is replaced by a recording, is not a fault. */
function useBookLink(): Link {
  const coin = useBook(({ status }) => status?.coin);
  const state = useBook(({ integrity }) => integrity.state);
  const reason = useBook(({ integrity: { state: shown, headline, reason: why } }) =>
    shown === 'suspect' ? headline : why,
  );
  const text = `${coin ?? 'Book'} ${BOOK_STATE_TEXTS[state].word.toLowerCase()}`;
  const isBuilding = state === 'waiting' || state === 'building' || state === 'recorded';
  return { well: isBuilding ? undefined : state === 'live', text, reason };
}

const NO_STREAM: Link = { well: undefined, text: 'Not open', reason: 'Opens when you follow a book.' };

interface DetailsProps {
  readonly stream: Link;
  readonly service: Link;
  readonly upstream: Link;
  /** Undefined while none is followed. */
  readonly book: Link | undefined;
  readonly data: Readiness | undefined;
  readonly at: number;
  /** The service responds: otherwise what it last said of its books is old. */
  readonly responds: boolean;
}

function Details({ stream, service, upstream, book, data, at, responds }: DetailsProps) {
  return (
    <dl className="grid w-80 max-w-full grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      <Line name="Stream to this page" link={stream} />
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

interface UpstreamAgeProps extends Pick<DetailsProps, 'at' | 'responds'> {
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

/** A browser does not say why a WebSocket could not be opened. */
const NO_UPGRADE =
  'The service responds, but its stream cannot be opened. If this lasts, a proxy does not allow upgrades on /ws, or this key has too many streams.';

function isUnopened({ status }: BookState): boolean {
  return status?.connection.kind === 'waiting' && status.connection.reason.kind === 'failed';
}

function streamOf({ failure, status, now }: BookState): Link {
  if (failure !== undefined) return fault('Page error', failure);
  if (status === undefined) return { well: undefined, text: 'Starting', reason: 'Starting' };
  const { connection, shortage, lastMessageAt } = status;
  if (shortage !== undefined) return fault('No credits', 'No credits are left to follow a book');
  switch (connection.kind) {
    case 'connecting':
      return { well: undefined, text: 'Connecting', reason: `Attempt ${connection.attempt}` };
    case 'waiting':
      return fault(`Reconnecting in ${secondsText(connection.retryAt - now)}`, disconnectText(connection.reason));
    case 'stopped':
      return fault('Disconnected', 'The stream has stopped');
    case 'open': {
      const silent = lastMessageAt === undefined ? 0 : now - lastMessageAt;
      if (silent > STALE_AFTER_MS) return fault(`Silent for ${secondsText(silent)}`, 'No data is arriving');
      return { well: true, text: 'Connected', reason: `Connected for ${secondsText(now - connection.since)}` };
    }
  }
}
