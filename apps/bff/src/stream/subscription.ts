import type { FeedHealth } from '@l4desk/feed';
import type { LedgerError } from '@l4desk/ledger';
import {
  BOOK_CHANNELS,
  type BookViewQuery,
  bboSubscription,
  canonicalJson,
  coinName,
  firstIssue,
  isRelayedType,
  L4_BOOK_UPDATES,
  l2BookSubscription,
  parsedJson,
  RELAYED_CHANNELS,
  type RelayedQuery,
  type RelayedType,
  type ResumePoint,
  readRelayed,
  resumePoint,
  z,
} from '@l4desk/protocol';
import type { CoinUniverse } from '../exchange/universe.ts';
import type { SubscriptionBody } from './client-message.ts';

/** The query of a subscription to one of the exchange's own channels. */
export type ChannelQuery = BookViewQuery | { readonly channel: 'trades'; readonly coin: string };

/** The key of a query, in the format of the feed's view keys. */
export function channelKey(query: ChannelQuery): string {
  return JSON.stringify(query);
}

const flag = z.boolean('must be true or false').default(false);

/** The options of `l4BookUpdates`, described in the protocol's schema. */
const options = z.object({
  statuses: z.enum(['all', 'book'], 'must be all or book').default('all'),
  status: flag,
  upstream: flag,
  checksum: flag,
  executions: flag,
});

/** A validated subscription. */
export interface Subscription extends Readonly<z.output<typeof options>> {
  /** Identity of the body: equal if and only if the bodies are deeply equal (D20). */
  readonly key: string;
  /** The body exactly as sent, for later messages about it (WS-33). */
  readonly text: string;
  readonly coins: readonly string[];
  /** The point at which the client left off. The entries missed since then are sent first. */
  readonly resume?: ResumePoint;
  /** The subscribed channel of the exchange. `l4BookUpdates` if neither this nor `relayed` is set. */
  readonly channel?: ChannelQuery;
  /** The key of `channel`, which bodies that differ may share. */
  readonly channelKey?: string;
  readonly relayed?: RelayedQuery;
}

/** Maximum nesting of a body. Valid ones have two levels; much deeper ones are not traversed. */
const BODY_DEPTH_MAX = 16;

/** The identity of a body (D20), from its text, because the checked value lacks `__proto__`; undefined if too deep. */
export function bodyKey(body: SubscriptionBody): string | undefined {
  return body.depth > BODY_DEPTH_MAX ? undefined : canonicalJson(parsedJson(body.text));
}

/**
 * The relay of the exchange's stream: whether it also relays `trades` of perps, and whether the exchange is connected. Null if
 * there is no relay.
 */
type Relaying = { readonly trades: () => boolean; readonly isConnected: () => boolean } | null;

/** Checks a whole subscription (D23). A reason has no braces: SDKs use them to cut the body out of the message. */
export function checkSubscription(
  body: SubscriptionBody,
  universe: CoinUniverse,
  coinsMax: number,
  relaying: Relaying = null,
): Subscription | { readonly reason: string } {
  const key = bodyKey(body);
  if (key === undefined) return { reason: 'nested too deeply' };
  const { type, coin } = body.value;
  const channel = readChannel(body.value, universe, relaying);
  if (channel !== undefined) return 'reason' in channel ? channel : ofChannel(channel.query, key, body.text, universe);
  if (relaying !== null && isRelayedType(type)) return ofRelayed(type, key, body, universe);
  if (type !== L4_BOOK_UPDATES) return { reason: `type must be ${typesOf(relaying).join(', ')}` };
  if (coin === undefined) return { reason: 'coin is missing' };
  // An option that is null counts as absent, as in a query (D7).
  const given = Object.fromEntries(Object.entries(body.value).filter(([, value]) => value !== null));
  const read = options.safeParse(given);
  if (!read.success) return { reason: reasonOf(read.error) };
  const names: readonly unknown[] = Array.isArray(coin) ? coin : [coin];
  if (names.length === 0) return { reason: 'the list of coins is empty' };
  if (names.length > coinsMax)
    return { reason: `more than ${coinsMax} ${coinsMax === 1 ? 'coin' : 'coins'} in one subscription` };
  const coins = new Set<string>();
  for (const item of names) {
    const name = coinName.safeParse(item);
    if (!name.success) return { reason: 'coin must be a coin name or a list of coin names' };
    if (coins.has(name.data)) return { reason: `coin ${quoted(name.data)} is repeated` };
    coins.add(name.data);
    const problem = coinProblem(name.data, universe);
    if (problem !== undefined) return { reason: problem };
  }
  const resume = readResume(given.resume, coins);
  if (resume !== undefined && 'reason' in resume) return resume;
  return {
    key,
    text: body.text,
    coins: [...coins],
    ...read.data,
    ...(resume === undefined ? {} : { resume }),
  };
}

function reasonOf(error: z.ZodError): string {
  const { path, problem } = firstIssue(error);
  return `${path} ${problem}`.replaceAll(/[{}]/g, '?');
}

function typesOf(relaying: Relaying): readonly string[] {
  const relayed = relaying === null ? [] : Object.keys(RELAYED_CHANNELS);
  return [...new Set([L4_BOOK_UPDATES, ...BOOK_CHANNELS, ...relayed])];
}

/** Reads the point at which a client left off; undefined if the subscription does not resume. */
function readResume(
  resume: unknown,
  coins: ReadonlySet<string>,
): ResumePoint | { readonly reason: string } | undefined {
  if (resume === undefined) return undefined;
  const read = resumePoint.safeParse(resume);
  if (!read.success) return { reason: 'resume must have an epoch, and by coin the seq of the last entry applied' };
  const other = Object.keys(read.data.seq).find((coin) => !coins.has(coin));
  return other === undefined ? read.data : { reason: `resume names ${quoted(other)}, which the subscription does not` };
}

/** Defaults of the options that only `l4BookUpdates` supports. */
const NO_OPTIONS = { statuses: 'book', status: false, upstream: false, checksum: false, executions: false } as const;

/** Creates a subscription to a channel of the exchange, which has one coin or none. */
function ofChannel(
  channel: ChannelQuery,
  key: string,
  text: string,
  universe: CoinUniverse,
): Subscription | { readonly reason: string } {
  const coins = 'coin' in channel ? [channel.coin] : [];
  for (const coin of coins) {
    const problem = coinProblem(coin, universe);
    if (problem !== undefined) return { reason: problem };
  }
  return { key, text, coins, ...NO_OPTIONS, channel, channelKey: channelKey(channel) };
}

/** Creates a subscription to a relayed channel. Its coin may be any coin of the exchange, including spot. */
function ofRelayed(
  type: RelayedType,
  key: string,
  { text, value }: SubscriptionBody,
  universe: CoinUniverse,
): Subscription | { readonly reason: string } {
  const relayed = readRelayed(type, value);
  if ('problem' in relayed) return { reason: relayed.problem };
  const { coin } = value;
  if (typeof coin === 'string' && universe.classify(coin) === 'unknown')
    return { reason: `unknown coin ${quoted(coin)}` };
  return { key, text, coins: [], ...NO_OPTIONS, relayed };
}

function coinProblem(coin: string, universe: CoinUniverse): string | undefined {
  switch (universe.classify(coin)) {
    case 'served':
      return undefined;
    case 'unknown':
      return `unknown coin ${quoted(coin)}`;
    case 'unsupported':
      return `coin ${quoted(coin)} is not a perp`;
    case 'not-loaded':
      return 'the list of coins is not loaded yet, try again shortly';
  }
}

function quoted(coin: string): string {
  return JSON.stringify(coin).replaceAll(/[{}]/g, '?');
}

/** Why the feed cannot serve a channel now; undefined if it can. */
export function channelProblem(
  channel: ChannelQuery | undefined,
  health: () => Pick<FeedHealth, 'executions' | 'executionsProblem'>,
): string | undefined {
  if (channel?.channel !== 'trades') return undefined;
  const { executions, executionsProblem } = health();
  if (executions === 'exact') return undefined;
  const why = executionsProblem ? `: ${executionsProblem}` : ', only what they did to resting orders';
  return `the source of this service does not know executions${why}`;
}

/** Why the minutes of a subscription could not be paid. */
export function unpaidReason(refusal: LedgerError): string {
  return refusal.code === 'credits_exhausted'
    ? `credits exhausted: ${refusal.message}`
    : 'credits cannot be charged now, try again shortly';
}

/** Reads the body of a subscription to a channel that our books serve. Returns undefined for any other. */
function readChannel(
  body: Readonly<Record<string, unknown>>,
  universe: CoinUniverse,
  relaying: Relaying,
): { readonly query: ChannelQuery } | { readonly reason: string } | undefined {
  const { type, coin } = body;
  switch (type) {
    case 'allMids':
      // The exchange lists every coin, our books only the followed ones (CHAN-32).
      if (body.dex === undefined || body.dex === null || body.dex === '')
        return relaying?.isConnected() === true ? undefined : { query: { channel: 'allMids' } };
      return relaying === null
        ? { reason: 'allMids has the mids of followed coins of every dex; leave dex out' }
        : undefined;
    case 'trades':
    case 'l2Book':
    case 'bbo': {
      const name = coinName.safeParse(coin);
      if (!name.success) return { reason: 'coin must be a coin name' };
      // Spot and outcome coins have no book here (CHAN-32).
      const hasNone =
        universe.classify(name.data) === 'unsupported' || (type === 'trades' && relaying?.trades() === true);
      if (relaying !== null && hasNone) return undefined;
      if (type === 'trades') return { query: { channel: 'trades', coin: name.data } };
      const read = (type === 'l2Book' ? l2BookSubscription : bboSubscription).safeParse(body);
      if (read.success) return { query: read.data };
      return { reason: reasonOf(read.error) };
    }
    default:
      return undefined;
  }
}
