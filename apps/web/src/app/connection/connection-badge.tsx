import { isStaleUpstream, type Readiness } from '@l4desk/protocol';
import { type ServiceResponse, useServiceResponse } from '../../api/use-service-response.ts';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import { useBook } from '../../book-worker/use-book.ts';
import { useUpstreamOverdue } from '../../book-worker/use-upstream-overdue.ts';
import { classNames } from '../../ui/class-names.ts';
import { secondsText } from '../../ui/format.ts';
import { Menu } from '../menu.tsx';
import { ConnectionDetails } from './connection-details.tsx';
import { Dot, type Link, useStreamLink } from './link.tsx';

/**
 * Whether the pages can be showing current data. Checks the page's own stream (while it follows a book), then the service, then
 * the upstream behind it, then the book, and shows the first link that is not well.
 */
export function ConnectionBadge() {
  const { response, data, at } = useServiceResponse();
  const follows = useBook(({ isFollowing, failure }) => isFollowing || failure !== undefined);
  const stream = useStreamLink('while unwell');
  const service = serviceOf(data, response);
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
      <ConnectionDetails
        service={service}
        upstream={upstream}
        book={follows ? book : undefined}
        data={data}
        at={at}
        responds={response.kind !== 'none'}
      />
    </Menu>
  );
}

function serviceOf(data: Readiness | undefined, response: ServiceResponse): Link {
  if (response.kind === 'none') {
    return { well: false, text: 'Service not responding', reason: 'The page keeps retrying.' };
  }
  if (data?.status === 'shutting_down')
    return { well: false, text: 'Service shutting down', reason: 'It stops accepting requests.' };
  const problem = [data?.database, data?.ledger].find((check) => check?.status === 'failed')?.problem;
  if (problem !== undefined) return { well: false, text: 'Service degraded', reason: problem };
  if (response.kind === 'slow') {
    const text = `Service slow, ${lastResponseText(response.ageMs)}`;
    return { well: false, text, reason: 'Calls take seconds: the network or the service is slow.' };
  }
  if (data === undefined) return { well: undefined, text: 'Connecting', reason: 'No response yet' };
  return { well: true, text: 'Service up', reason: 'Database and ledger are healthy.' };
}

function lastResponseText(ageMs: number | null): string {
  return ageMs === null ? 'no response yet' : `last response ${secondsText(ageMs)} ago`;
}

function upstreamOf(data: Readiness | undefined, isCut: boolean, overdue: string | undefined): Link {
  if (isCut && data?.upstreamL4.status !== 'failed') {
    return { well: false, text: 'Upstream feed disconnected', reason: 'The order-level feed is disconnected.' };
  }
  if (overdue !== undefined && data?.upstreamL4.status === 'ok') {
    return { well: false, text: 'Upstream suspect', reason: overdue };
  }
  if (data === undefined) return { well: undefined, text: 'Unknown', reason: 'No status from the service yet.' };
  const { upstreamL4, upstreamInfo } = data;
  if (upstreamL4.status === 'failed') {
    return {
      well: false,
      text: 'Upstream feed disconnected',
      reason: upstreamL4.problem ?? 'The order-level feed is disconnected.',
    };
  }
  if (upstreamInfo.status === 'failed') {
    return {
      well: false,
      text: 'Upstream queries failing',
      reason: upstreamInfo.problem ?? 'Queries get no response.',
    };
  }
  if (isStaleUpstream(upstreamInfo.lagMs)) {
    const reason = `Its state is ${secondsText(upstreamInfo.lagMs)} behind; pages mark what they read from it as stale.`;
    return { well: false, text: 'Upstream late', reason };
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
