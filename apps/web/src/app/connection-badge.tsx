import { useNow } from '../hooks/use-now.ts';
import { disconnectText, STALE_AFTER_MS } from '../live/integrity.ts';
import { useLive, useLiveFailure, useLiveStatus } from '../live/live-context.tsx';
import type { LiveStatus } from '../live/messages.ts';
import { classNames } from '../ui/class-names.ts';
import { secondsText } from '../ui/format.ts';

/** Whether the socket stands: the transport's own clock, whatever the shown coin does. A page without live data has none. */
export function ConnectionBadge() {
  const live = useLive();
  const status = useLiveStatus();
  const failure = useLiveFailure();
  const now = useNow();
  if (!live.isFollowing && failure === undefined) return null;
  const { well, text, reason } =
    failure === undefined ? describe(status, now) : { well: false, text: 'Page fault', reason: failure };
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
      <span className={well ? 'max-sm:sr-only' : undefined}>{text}</span>
    </output>
  );
}

function describe(status: LiveStatus | undefined, now: number) {
  const connection = status?.connection;
  if (status === undefined || connection === undefined) return { well: false, text: 'Starting', reason: 'Starting' };
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
