import { SUBSCRIPTION_COINS_MAX } from '../limits.ts';
import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';
import { resumePoint } from './resume.ts';

/** The only channel of events (§6). */
export const L4_BOOK_UPDATES = 'l4BookUpdates';

/** The channel that reports the state of books; sent only to subscriptions with `"status": true` (D54). */
export const L4_BOOK_STATUS = 'l4BookStatus';

/** The channel that reports the state of the upstream; sent only to subscriptions with `"upstream": true`. */
export const L4_UPSTREAM = 'l4Upstream';

/** The channel that reports that messages of another channel may be missing; sent to its subscribers. */
export const L4_MISSING = 'l4Missing';

/** Which order statuses a subscription wants: `all`, or only those whose oid is in the block's diffs (D32). */
export type StatusesMode = 'all' | 'book';

/**
 * Body of a subscription to one perp or up to 64. Unknown fields are kept, because they count (D20). An option that is null counts
 * as absent.
 */
export const l4BookUpdatesSubscription = z.looseObject({
  type: z.literal(L4_BOOK_UPDATES),
  coin: z.union([coinName, z.array(coinName).min(1).max(SUBSCRIPTION_COINS_MAX)]),
  statuses: z.enum(['all', 'book']).nullish(),
  /** Whether the state of each coin's book is sent on channel `l4BookStatus`, at subscribe and at each change (D54). */
  status: z.boolean().nullish(),
  /** Whether the age of the upstream's last block is sent every second on channel `l4Upstream`. */
  upstream: z.boolean().nullish(),
  /** Whether each entry carries the rolling checksum of the whole book after it (`docs/checksum.md`). */
  checksum: z.boolean().nullish(),
  /** Whether each entry reports known executions of its orders, if the source knows executions. */
  executions: z.boolean().nullish(),
  /** Where the client left off: the missed entries of these coins come first, if they are still retained. */
  resume: resumePoint.nullish(),
});

export type L4BookUpdatesSubscription = z.infer<typeof l4BookUpdatesSubscription>;

/** Text that is equal for two JSON values exactly if they are deeply equal: key order is ignored, array order counts (D20). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
