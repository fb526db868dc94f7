import type { FollowSettings } from './types.ts';

/** The defaults of a follower. */
export const FOLLOW_DEFAULTS: FollowSettings = {
  pingMs: 5_000,
  deadAfterMs: 15_000,
  acknowledgeMs: 5_000,
  reconnect: { firstMs: 250, longestMs: 15_000 },
  rebuild: { firstMs: 250, longestMs: 15_000 },
  snapshotsAtOnce: 2,
  snapshotMs: 30_000,
  aheadMs: 15_000,
};
