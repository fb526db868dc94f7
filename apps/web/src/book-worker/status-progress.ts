import type { LiveStatus } from './messages.ts';

/** What changes with the blocks of a book that is well. */
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

/** Whether a status says nothing else than that the book went on: whoever shows it may do so in its turn. */
export function isProgress(next: LiveStatus, previous: LiveStatus | undefined): boolean {
  if (previous?.position === undefined || previous.position.epoch !== next.position?.epoch) return false;
  return newsOf(next) === newsOf(previous);
}

/** Equal ticks stay the same array from status to status, so that what draws them rests. */
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
