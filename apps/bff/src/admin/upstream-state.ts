import { FEED_SILENT_MS, type FeedHealth } from '@l4desk/feed';
import { isSuspect } from '@l4desk/protocol';

/** Why the order-level upstream cannot be used; null if it can. */
export function upstreamProblem({ ageMs, upstreamConnected, upstreamProblem: problem }: FeedHealth): string | null {
  if (ageMs > FEED_SILENT_MS) return `the L4 worker has not reported for ${Math.round(ageMs / 1_000)} s`;
  return upstreamConnected ? null : (problem ?? 'not connected');
}

/** `stale` while the books may be outdated: the upstream is disconnected, or silent for longer than is usual. */
export function upstreamState(health: FeedHealth): 'live' | 'stale' {
  const { upstreamBlocks: blocks } = health;
  return upstreamProblem(health) !== null || (blocks !== null && isSuspect(blocks)) ? 'stale' : 'live';
}
