import type { LiveStatus } from './messages.ts';

/** The fields that change with the blocks of a healthy book. */
type Progress =
  | 'position'
  | 'lastBlockAt'
  | 'lastMessageAt'
  | 'roundTripMs'
  | 'times'
  | 'ticks'
  | 'best'
  | 'counts'
  | 'provedHeight';

/** Whether a status reports only that the book advanced; it may then be shown in its turn. */
export function isProgress(next: LiveStatus, previous: LiveStatus | undefined): boolean {
  if (previous?.position === undefined || previous.position.epoch !== next.position?.epoch) return false;
  return newsOf(next) === newsOf(previous);
}

/** Keeps the same array for equal ticks from status to status, so that components using it do not render again. */
export function keepTicks(next: LiveStatus, previous: LiveStatus | undefined): LiveStatus {
  const same = previous !== undefined && next.ticks.join() === previous.ticks.join();
  return same ? { ...next, ticks: previous.ticks } : next;
}

function newsOf(status: LiveStatus): string {
  const { generation, coin, connection, shortage, state, gaps, lastGap, source } = status;
  const { verification, frozen, recorded, holdAt, builtAt } = status;
  const news: Omit<LiveStatus, Progress> = {
    generation,
    coin,
    connection,
    shortage,
    state,
    gaps,
    lastGap,
    source,
    verification,
    frozen,
    recorded,
    holdAt,
    builtAt,
  };
  return JSON.stringify(news);
}
