import { disconnectText, STALE_AFTER_MS } from '../live/integrity.ts';
import type { Live } from '../live/live.ts';
import { useLiveMoment } from '../live/live-context.tsx';
import type { LiveStatus } from '../live/messages.ts';
import { classNames } from '../ui/class-names.ts';
import { secondsText } from '../ui/format.ts';

/** Whether the socket stands: the transport's own clock, whatever the shown coin does. A page without live data has none. */
export function ConnectionBadge() {
  const isAbsent = useLiveMoment((live) => !live.isFollowing && live.failure() === undefined);
  const well = useLiveMoment((live, now) => connectionOf(live, now).well);
  const text = useLiveMoment((live, now) => connectionOf(live, now).text);
  const reason = useLiveMoment((live, now) => connectionOf(live, now).reason);
  if (isAbsent) return null;
  return (
    <output
      aria-label="Connection"
      aria-live="off"
      title={reason}
      className={classNames(
        'flex items-center gap-1.5 px-1 text-12 whitespace-nowrap',
        well ? 'text-dim' : 'text-stale',
      )}
    >
      <span
        aria-hidden
        className={classNames('size-2 rounded-full', well ? 'bg-exact' : 'border border-stale bg-transparent')}
      />
      {/* On a narrow screen a longer word would push the page down: there the book itself says what is wrong. */}
      <span className="max-sm:sr-only">{text}</span>
    </output>
  );
}

function connectionOf(live: Live, now: number) {
  const failure = live.failure();
  return failure === undefined ? describe(live.status(), now) : { well: false, text: 'Page fault', reason: failure };
}

function describe(status: LiveStatus | undefined, now: number) {
  const connection = status?.connection;
  if (status === undefined || connection === undefined) return { well: false, text: 'Starting', reason: 'Starting' };
  if (status.shortage !== undefined)
    return { well: false, text: 'No credits', reason: 'No credits are left to follow a book' };
  switch (connection.kind) {
    case 'connecting':
      return { well: false, text: 'Connecting', reason: `Attempt ${connection.attempt}` };
    case 'waiting': {
      const rest = secondsText(connection.retryAt - now);
      return { well: false, text: `Reconnecting in ${rest}`, reason: disconnectText(connection.reason) };
    }
    case 'stopped':
      return { well: false, text: 'Disconnected', reason: 'The stream has stopped' };
    case 'open': {
      const silent = status.lastMessageAt === undefined ? 0 : now - status.lastMessageAt;
      if (silent > STALE_AFTER_MS) {
        return { well: false, text: `Silent for ${secondsText(silent)}`, reason: 'Nothing comes over the connection' };
      }
      return { well: true, text: 'Connected', reason: `Connected for ${secondsText(now - connection.since)}` };
    }
  }
}
