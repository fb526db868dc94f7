import {
  BOOK_CHANNELS,
  BOOK_LOSS_REASONS,
  BOOK_STATES,
  CLOSE_CATALOGUE,
  ERROR_CATALOGUE,
  type ErrorEntry,
  L4_BOOK_STATUS,
  L4_MISSING,
  L4_UPSTREAM,
  l4BookUpdatesSubscription,
  RESUME_REFUSALS,
  SERVER_MESSAGES,
  STREAM_ERROR_CATALOGUE,
  TARIFF,
  z,
} from '@l4desk/protocol';
import { createDocument } from 'zod-openapi';
import examples from './examples.json' with { type: 'json' };
import type { StatedLimits } from './limits.ts';

/** Facts for the document that are not in the schemas. */
export interface AsyncApiFacts {
  readonly limits: StatedLimits;
  /** The URL that browsers use for the service. */
  readonly url: string;
}

/** One message of the stream. */
export interface StreamMessage {
  readonly name: string;
  readonly sender: 'client' | 'service';
  readonly title: string;
  readonly text: string;
  readonly payload: z.ZodType;
  readonly example: unknown;
}

const SUBSCRIPTION = { type: 'l4BookUpdates', coin: ['BTC', 'ETH'] };

const request = (method: 'subscribe' | 'unsubscribe') =>
  z.object({ method: z.literal(method), subscription: l4BookUpdatesSubscription });

/** Every message of the stream (§4.7, D20 to D22). A test validates each example against its schema. */
export const STREAM_MESSAGES: readonly StreamMessage[] = [
  {
    name: 'subscribe',
    sender: 'client',
    title: 'Subscribe',
    text: 'coin is one perp symbol or an array of distinct ones. With "statuses":"book" only the order statuses of orders in the block’s diffs are sent, which is all that a book needs. With "status":true the state of each coin’s book is sent too. With "checksum":true each entry carries checksum, the rolling checksum of the coin’s whole book after it, queue order included; docs/checksum.md prints an implementation. With "executions":true an entry lists in executed which orders of its diffs the fills of a node say were executed in this block, and how much of each; what is not listed may have been executed too. With "resume":{"epoch","seq":{"BTC":88102}} the entries that were missed behind each seq come first, where they are still kept; the acknowledgement names the coins that go on and those that do not, with the reason.',
    payload: request('subscribe'),
    example: { method: 'subscribe', subscription: SUBSCRIPTION },
  },
  {
    name: 'unsubscribe',
    sender: 'client',
    title: 'Unsubscribe',
    text: 'The same body as in the subscription. Key order does not matter; everything else does.',
    payload: request('unsubscribe'),
    example: { method: 'unsubscribe', subscription: SUBSCRIPTION },
  },
  {
    name: 'ping',
    sender: 'client',
    title: 'Ping',
    text: 'The service responds with a pong. It also sends WebSocket protocol pings and disconnects a client that misses two.',
    payload: z.object({ method: z.literal('ping') }),
    example: { method: 'ping' },
  },
  {
    name: 'post',
    sender: 'client',
    title: 'Query',
    text: 'A query of POST /info on the socket: same checks, same price, same errors. Many may be in flight; the id, a number or a string, is repeated in the response. Requests of another type than info are refused.',
    payload: z.object({
      method: z.literal('post'),
      id: z.union([z.number(), z.string()]),
      request: z.object({ type: z.literal('info'), payload: z.looseObject({ type: z.string() }) }),
    }),
    example: { method: 'post', id: 1, request: { type: 'info', payload: { type: 'meta' } } },
  },
  {
    name: 'updates',
    sender: 'service',
    title: 'A block',
    text: 'One message for each block in which the book of a subscribed coin changed, in ascending block_height, with one entry for each such coin. Compare seq and prev_seq per coin.',
    payload: SERVER_MESSAGES.updates,
    example: examples.updates,
  },
  {
    name: 'bookStatus',
    sender: 'service',
    title: 'The state of a book',
    text: 'Only for subscriptions with "status":true: sent for each coin after the acknowledgement, and at each change. A live coin without blocks is quiet; in any other state the book is not exact, and since and reason say from when and why. upstreamAgeMs is the time since the upstream connection last received anything, accurate to about a second; null if it never did.',
    payload: SERVER_MESSAGES.bookStatus,
    example: {
      channel: L4_BOOK_STATUS,
      data: { coin: 'BTC', state: 'rebuilding', since: 1_778_002_753_024, upstreamAgeMs: 41, reason: 'late-block' },
    },
  },
  {
    name: 'channel',
    sender: 'service',
    title: 'A channel of the exchange',
    text: 'Subscriptions of type l2Book (coin, nSigFigs, mantissa, fast for 5 levels a side; nLevels is a number of levels a side or "all"), bbo (coin), trades (coin) and allMids are served in the exchange’s own shapes: as they are after the acknowledgement, and after each block in which they change. trades needs a source that knows executions. Where the operator has set the exchange’s stream, its other channels (userFills, orderUpdates, candle, activeAssetCtx, webData3 and so on) are relayed as it sends them, for 1 credit each per connection and started minute. A coin costs 1 credit per connection and started minute, however many of its channels are subscribed; allMids is free.',
    payload: z.object({ channel: z.string().meta({ examples: [...BOOK_CHANNELS] }), data: z.unknown() }),
    example: {
      channel: 'bbo',
      data: {
        coin: 'BTC',
        time: 1_778_002_753_024,
        bbo: [
          { px: '81307.0', sz: '2.80623', n: 9 },
          { px: '81308.0', sz: '8.81056', n: 58 },
        ],
      },
    },
  },
  {
    name: 'missing',
    sender: 'service',
    title: 'Something may be missing',
    text: 'To subscribers of trades: executions up to block height may be missing, because a line of the node’s fills was lost or cannot be read; detail says which. The subscription continues.',
    payload: SERVER_MESSAGES.missing,
    example: {
      channel: L4_MISSING,
      data: {
        channel: 'trades',
        coin: 'BTC',
        height: 985_148_182,
        time: 1_778_002_753_024,
        detail: 'the fills of block 985148182 are missing from node_fills_by_block',
      },
    },
  },
  {
    name: 'upstream',
    sender: 'service',
    title: 'The age of the upstream',
    text: 'Only for subscriptions with "upstream":true: sent once after the acknowledgement and then every second. ageMs is the time since the upstream connection last received anything. blocks.ageMs is the time since the last block of any coin that the service follows, blocks.usualMs what is usual, and beyond blocks.suspectAfterMs the silence is suspect; blocks is null while too few blocks came; if the upstream is then found to stand still, it has usualMs and suspectAfterMs 0. time is the clock of the service as it sends the message, in ms since the Unix epoch.',
    payload: SERVER_MESSAGES.upstream,
    example: {
      channel: L4_UPSTREAM,
      data: {
        time: 1_778_002_753_065,
        connected: true,
        ageMs: 41,
        blocks: { ageMs: 41, usualMs: 72, suspectAfterMs: 1_000 },
      },
    },
  },
  {
    name: 'subscriptionResponse',
    sender: 'service',
    title: 'Acknowledgement',
    text: 'Sent before the first block of the subscription, with its body exactly as the client sent it. After a resume it has the seq of the last missed entry of each resumed coin, and the reason for each coin that is not resumed: see x-resume-refusals.',
    payload: SERVER_MESSAGES.subscriptionResponse,
    example: { channel: 'subscriptionResponse', data: { method: 'subscribe', subscription: SUBSCRIPTION } },
  },
  {
    name: 'posted',
    sender: 'service',
    title: 'Response to a query',
    text: 'What POST /info would return, or "type":"error" with the message of its error.',
    payload: SERVER_MESSAGES.post,
    example: {
      channel: 'post',
      data: { id: 1, response: { type: 'info', payload: { type: 'maxMarketOrderNtls', data: [[40, '15000000.0']] } } },
    },
  },
  {
    name: 'pong',
    sender: 'service',
    title: 'Pong',
    text: 'The response to a ping.',
    payload: SERVER_MESSAGES.pong,
    example: { channel: 'pong' },
  },
  {
    name: 'error',
    sender: 'service',
    title: 'Error',
    text: 'A sentence that repeats the subscription exactly as the client sent it. The connection stays open.',
    payload: SERVER_MESSAGES.error,
    example: {
      channel: 'error',
      data: 'Invalid subscription {"type":"l4BookUpdates","coin":"NOPE"}: unknown coin "NOPE"',
    },
  },
];

/** The six steps of the bootstrap (§4.7). */
const BOOTSTRAP: readonly string[] = [
  'Subscribe, and buffer the batches that arrive.',
  'Request l4BookSnapshot for each coin; store its height, epoch and seq.',
  'Discard buffered batches at or below that height and, per coin, entries with seq at or below that seq.',
  'If the epoch differs from the snapshot’s, request the snapshot again.',
  'The prev_seq of the first applied entry must equal the snapshot’s seq. Apply diffs by oid: new inserts (at the back of the queue at its price, or in front of insertBefore), update resizes, remove deletes.',
  'From then on each prev_seq must equal the coin’s last seq. On a gap or a new epoch, repeat from step 2 for that coin.',
];

/** What happens if a client ignores `insertBefore` in `new` (D55). */
const WITHOUT_INSERT_BEFORE =
  'insertBefore is a field that the exchange added: the order rests in front of another one instead of at the back of its queue. A client that ignores it loses the queue order inside that level and nothing else: all orders, prices, sizes, level totals and sequence numbers stay correct.';

/** How the stream is charged. */
const STREAM_CREDITS = `${TARIFF.l4BookUpdatesPerCoinMinute} credit per subscribed coin and started minute in which its book is live, counted from the subscribe or from when the book becomes live. A coin is charged once per connection, however many subscriptions name it. A refused subscription costs nothing.`;

/** Every refusal of an upgrade (D24), by status. 429 and 503 carry `Retry-After` (AUTH-27). */
export const STREAM_REFUSALS: readonly ErrorEntry[] = Object.values(ERROR_CATALOGUE)
  .filter(({ places }) => places.includes('stream'))
  .toSorted((a, b) => a.status - b.status);

/** How to open the stream. */
const STREAM_CONNECTION =
  'A WebSocket at /ws with the API key in the query parameter key; a header is not accepted. Dashboard pages use their session instead of a key, with an Origin of this service. A refused upgrade is an HTTP response with the same error body as any other: 401, 402 or 403 for the credential or its credits, 429 for too many attempts or connections, 503 when the service is not ready. 429 and 503 carry Retry-After.';

/** Creates the AsyncAPI 3 document of the stream from the protocol's schemas. */
export function asyncApi({ limits, url }: AsyncApiFacts): Readonly<Record<string, unknown>> {
  const { protocol, host } = new URL(url);
  const ref = (path: string) => ({ $ref: `#/${path}` });
  const messagesOf = (sender: StreamMessage['sender']) =>
    STREAM_MESSAGES.filter((message) => message.sender === sender).map(({ name }) =>
      ref(`channels/stream/messages/${name}`),
    );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'L4 Desk stream',
      version: '0.1.0',
      description: `${STREAM_CONNECTION}\n\nBootstrap:\n${BOOTSTRAP.map((step, index) => `${index + 1}. ${step}`).join('\n')}\n\n${WITHOUT_INSERT_BEFORE}`,
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
        messages: Object.fromEntries(STREAM_MESSAGES.map(({ name }) => [name, ref(`components/messages/${name}`)])),
        'x-credits': TARIFF.l4BookUpdatesPerCoinMinute,
        'x-credits-about': STREAM_CREDITS,
        'x-limits': limits.stream,
        'x-book-states': BOOK_STATES,
        'x-book-loss-reasons': BOOK_LOSS_REASONS,
        'x-resume-refusals': RESUME_REFUSALS,
        'x-upgrade-refusals': Object.fromEntries(
          STREAM_REFUSALS.map(({ code, status, retryable, meaning, remedy }) => [
            code,
            { status, retryable, meaning, remedy },
          ]),
        ),
        'x-errors': STREAM_ERROR_CATALOGUE,
        'x-close-codes': Object.fromEntries(
          CLOSE_CATALOGUE.map(({ code, meaning, remedy }) => [code, { meaning, remedy }]),
        ),
      },
    },
    operations: {
      ask: { action: 'receive', channel: ref('channels/stream'), messages: messagesOf('client') },
      tell: { action: 'send', channel: ref('channels/stream'), messages: messagesOf('service') },
    },
    components: {
      messages: Object.fromEntries(
        STREAM_MESSAGES.map(({ name, title, text, example }) => [
          name,
          {
            name,
            title,
            summary: text,
            contentType: 'application/json',
            payload: ref(`components/schemas/${name}`),
            examples: [{ name, payload: example }],
          },
        ]),
      ),
      schemas: schemas(),
      securitySchemes: { key: { type: 'httpApiKey', in: 'query', name: 'key', description: 'An API key: l4k_…' } },
    },
  };
}

/** The schemas of the messages and of everything that they reference. */
function schemas(): Readonly<Record<string, unknown>> {
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: Object.fromEntries(STREAM_MESSAGES.map(({ name, payload }) => [name, payload])) },
  });
  return document.components?.schemas ?? {};
}
