import {
  BOOK_CHANNELS,
  BOOK_LOSS_REASONS,
  BOOK_STATES,
  CLOSE_CATALOGUE,
  ERROR_CATALOGUE,
  type ErrorEntry,
  l4BookUpdatesSubscription,
  RESUME_REFUSALS,
  SERVER_MESSAGES,
  STREAM_ERROR_CATALOGUE,
  TARIFF,
  z,
} from '@l4desk/protocol';
import { createDocument } from 'zod-openapi';
import { textsByCode } from './errors.ts';
import type { StatedLimits } from './limits.ts';
import stream from './stream.json' with { type: 'json' };

/** Facts for the document that are not in the schemas. */
export interface AsyncApiFacts {
  readonly limits: StatedLimits;
  readonly url: string;
}

const request = (method: 'subscribe' | 'unsubscribe') =>
  z.object({ method: z.literal(method), subscription: l4BookUpdatesSubscription });

const { post: posted, ...SENT } = SERVER_MESSAGES;

/** The schema of every message of the stream (§4.7, D20 to D22), by name. A test validates each example against it. */
const PAYLOADS: Readonly<Record<string, z.ZodType>> = {
  subscribe: request('subscribe'),
  unsubscribe: request('unsubscribe'),
  ping: z.object({ method: z.literal('ping') }),
  post: z.object({
    method: z.literal('post'),
    id: z.union([z.number(), z.string()]),
    request: z.object({ type: z.literal('info'), payload: z.looseObject({ type: z.string() }) }),
  }),
  channel: z.object({ channel: z.string().meta({ examples: [...BOOK_CHANNELS] }), data: z.unknown() }),
  posted,
  ...SENT,
};

/** Every message of the stream, with its texts and an example. */
export const STREAM_MESSAGES = stream.messages.map((message) => ({
  ...message,
  payload: PAYLOADS[message.name] ?? z.never(),
}));

const STREAM_CREDITS = `${TARIFF.l4BookUpdatesPerCoinMinute} credit per subscribed coin and started minute in which its book is live, counted from the subscribe or from when the book becomes live. A coin is charged once per connection, however many subscriptions name it. A refused subscription costs nothing.`;

/** Every refusal of an upgrade (D24), by status. 429 and 503 carry `Retry-After` (AUTH-27). */
export const STREAM_REFUSALS: readonly ErrorEntry[] = Object.values(ERROR_CATALOGUE)
  .filter(({ places }) => places.includes('stream'))
  .toSorted((a, b) => a.status - b.status);

/** Creates the AsyncAPI 3 document of the stream from the protocol's schemas. */
export function asyncApi({ limits, url }: AsyncApiFacts): Readonly<Record<string, unknown>> {
  const { protocol, host } = new URL(url);
  const ref = (path: string) => ({ $ref: `#/${path}` });
  const messagesOf = (from: string) =>
    STREAM_MESSAGES.filter(({ sender }) => sender === from).map(({ name }) => ref(`channels/stream/messages/${name}`));
  const byName = <T>(value: (message: (typeof STREAM_MESSAGES)[number]) => T) =>
    Object.fromEntries(STREAM_MESSAGES.map((message) => [message.name, value(message)]));
  const { components } = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: byName(({ payload }) => payload) },
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'L4 Desk stream',
      version: '0.1.0',
      description: `${stream.connection}\n\nBootstrap:\n${stream.bootstrap.map((step, index) => `${index + 1}. ${step}`).join('\n')}\n\n${stream.withoutInsertBefore}`,
      externalDocs: { url: '/docs', description: 'The queries' },
    },
    servers: {
      this: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', security: [ref('components/securitySchemes/key')] },
    },
    channels: {
      stream: {
        address: '/ws',
        title: 'l4BookUpdates',
        description: 'Order-level books of perp coins, block by block.',
        messages: byName(({ name }) => ref(`components/messages/${name}`)),
        'x-credits': TARIFF.l4BookUpdatesPerCoinMinute,
        'x-credits-about': STREAM_CREDITS,
        'x-limits': limits.stream,
        'x-book-states': BOOK_STATES,
        'x-book-loss-reasons': BOOK_LOSS_REASONS,
        'x-resume-refusals': RESUME_REFUSALS,
        'x-upgrade-refusals': textsByCode(STREAM_REFUSALS),
        'x-errors': STREAM_ERROR_CATALOGUE,
        'x-close-codes': Object.fromEntries(CLOSE_CATALOGUE.map(({ code, ...texts }) => [code, texts])),
      },
    },
    operations: {
      fromClient: { action: 'receive', channel: ref('channels/stream'), messages: messagesOf('client') },
      toClient: { action: 'send', channel: ref('channels/stream'), messages: messagesOf('service') },
    },
    components: {
      messages: byName(({ name, title, text, example }) => ({
        name,
        title,
        summary: text,
        contentType: 'application/json',
        payload: ref(`components/schemas/${name}`),
        examples: [{ name, payload: example }],
      })),
      schemas: components?.schemas ?? {},
      securitySchemes: { key: { type: 'httpApiKey', in: 'query', name: 'key', description: 'An API key: l4k_…' } },
    },
  };
}
