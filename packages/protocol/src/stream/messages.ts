import { bookStatus } from '../book-state.ts';
import { coinName } from '../primitives.ts';
import { upstreamStatus } from '../upstream-status.ts';
import { z } from '../zod.ts';
import { updates } from './batch.ts';
import { resumeOutcome } from './resume.ts';
import { L4_BOOK_STATUS, L4_BOOK_UPDATES, L4_MISSING, L4_UPSTREAM, l4BookUpdatesSubscription } from './subscription.ts';

/** What may be missing: executions up to a block, the last one affected by the gap, and why. */
const missingData = z.object({
  channel: z.literal('trades'),
  coin: coinName,
  height: z.int().nonnegative(),
  time: z.int().nonnegative(),
  detail: z.string(),
});

export type MissingData = z.infer<typeof missingData>;

/** Messages that a client may send (§4.7, D21). The subscription is checked separately, so that its error can echo it (D22). */
export const clientMessage = z.discriminatedUnion('method', [
  z.looseObject({ method: z.literal('subscribe'), subscription: z.looseObject({}) }),
  z.looseObject({ method: z.literal('unsubscribe'), subscription: z.looseObject({}) }),
  z.looseObject({ method: z.literal('ping') }),
  z.looseObject({ method: z.literal('post'), id: z.union([z.number(), z.string()]), request: z.unknown() }),
]);

/** Messages that the service sends (§4.7, D20–D22, D54). `Updates` is the only message of channel `l4BookUpdates`. */
export const SERVER_MESSAGES = {
  updates: z.object({ channel: z.literal(L4_BOOK_UPDATES), data: z.object({ Updates: updates }) }),
  bookStatus: z.object({ channel: z.literal(L4_BOOK_STATUS), data: bookStatus }),
  upstream: z.object({ channel: z.literal(L4_UPSTREAM), data: upstreamStatus }),
  missing: z.object({ channel: z.literal(L4_MISSING), data: missingData }),
  subscriptionResponse: z.object({
    channel: z.literal('subscriptionResponse'),
    data: z.object({
      method: z.enum(['subscribe', 'unsubscribe']),
      subscription: l4BookUpdatesSubscription,
      resume: resumeOutcome.optional(),
    }),
  }),
  pong: z.object({ channel: z.literal('pong') }),
  post: z.object({
    channel: z.literal('post'),
    data: z.object({
      id: z.union([z.number(), z.string()]),
      response: z.discriminatedUnion('type', [
        z.object({ type: z.literal('info'), payload: z.object({ type: z.string(), data: z.unknown() }) }),
        z.object({ type: z.literal('error'), payload: z.string() }),
      ]),
    }),
  }),
  error: z.object({ channel: z.literal('error'), data: z.string() }),
} as const;

export const serverMessage = z.union(Object.values(SERVER_MESSAGES));
