import { decodeRequest, wallet } from '../info/request.ts';
import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';
import { canonicalJson } from './subscription.ts';

/** How a channel continues after its first message, which is also sent to later subscribers. */
type Begins =
  /** Each message holds the whole state. */
  | 'state'
  /** One message holds the whole state (`isSnapshot`), later ones the changes. */
  | 'snapshot'
  /** The first message after the acknowledgement holds the whole state, later ones the changes. */
  | 'first'
  /** Messages report what happens; there is no earlier state. */
  | 'events';

interface RelayedChannel {
  readonly begins: Begins;
  /** The channel that its messages carry, if it is not the subscription's type. */
  readonly channels?: readonly string[];
  /** Fields of the subscription that the messages repeat, and where: they identify the messages. */
  readonly echoed: Readonly<Record<string, string>>;
  readonly body: z.ZodType;
}

const dex = z.string().optional();
const user = { echoed: { user: 'user' } } as const;
const ofUser = z.looseObject({ type: z.string(), user: wallet });
const ofUserAndDex = z.looseObject({ type: z.string(), user: wallet, dex });
const ofDex = z.looseObject({ type: z.string(), dex });
const ofNobody = z.looseObject({ type: z.string() });
const ofCoin = z.looseObject({ type: z.string(), coin: coinName });

/**
 * The exchange's channels that are relayed from its own stream: `bbo`, `l2Book` and `trades` only where our books cannot
 * serve them (CHAN-32).
 */
export const RELAYED_CHANNELS = {
  activeAssetCtx: {
    begins: 'state',
    channels: ['activeAssetCtx', 'activeSpotAssetCtx'],
    echoed: { coin: 'coin' },
    body: ofCoin,
  },
  activeAssetData: {
    begins: 'state',
    echoed: { user: 'user', coin: 'coin' },
    body: z.looseObject({ type: z.string(), user: wallet, coin: coinName }),
  },
  allDexsAssetCtxs: { begins: 'state', echoed: {}, body: ofNobody },
  allDexsClearinghouseState: { begins: 'state', ...user, body: ofUser },
  allMids: { begins: 'state', echoed: { dex: 'dex' }, body: ofDex },
  assetCtxs: { begins: 'state', echoed: { dex: 'dex' }, body: ofDex },
  bbo: { begins: 'state', echoed: { coin: 'coin' }, body: ofCoin },
  candle: {
    begins: 'state',
    echoed: { coin: 's', interval: 'i' },
    body: z.looseObject({ type: z.string(), coin: coinName, interval: z.string().max(8) }),
  },
  clearinghouseState: { begins: 'state', echoed: { user: 'user', dex: 'dex' }, body: ofUserAndDex },
  fastAssetCtxs: { begins: 'first', echoed: {}, body: ofNobody },
  l2Book: { begins: 'state', echoed: { coin: 'coin' }, body: ofCoin },
  notification: { begins: 'events', echoed: {}, body: ofUser },
  openOrders: { begins: 'state', echoed: { user: 'user', dex: 'dex' }, body: ofUserAndDex },
  outcomeMetaUpdates: { begins: 'events', echoed: {}, body: ofNobody },
  orderUpdates: { begins: 'events', echoed: {}, body: ofUser },
  spotAssetCtxs: { begins: 'state', echoed: {}, body: ofNobody },
  spotState: { begins: 'state', ...user, body: ofUser },
  // Each message is a list of executions of one coin.
  trades: { begins: 'events', echoed: { coin: '0.coin' }, body: ofCoin },
  twapStates: { begins: 'state', echoed: { user: 'user', dex: 'dex' }, body: ofUserAndDex },
  userEvents: { begins: 'events', channels: ['user'], echoed: {}, body: ofUser },
  userFills: {
    begins: 'snapshot',
    ...user,
    body: z.looseObject({ type: z.string(), user: wallet, aggregateByTime: z.boolean().optional() }),
  },
  userFundings: { begins: 'snapshot', ...user, body: ofUser },
  userHistoricalOrders: { begins: 'snapshot', ...user, body: ofUser },
  userNonFundingLedgerUpdates: { begins: 'snapshot', ...user, body: ofUser },
  userTwapHistory: { begins: 'snapshot', ...user, body: ofUser },
  userTwapSliceFills: { begins: 'snapshot', ...user, body: ofUser },
  webData2: { begins: 'state', ...user, body: ofUser },
  webData3: { begins: 'state', echoed: { user: 'userState.user' }, body: ofUser },
} as const satisfies Record<string, RelayedChannel>;

/** The name under which minutes of relayed channels are charged. */
export const RELAYED = 'relayed';

export type RelayedType = keyof typeof RELAYED_CHANNELS;

/** A subscription to a channel of the exchange, in the form sent to the exchange. */
export interface RelayedQuery {
  readonly type: RelayedType;
  readonly begins: Begins;
  /** The body to send: every field, with a wallet in lower case. */
  readonly text: string;
  /** The body without the fields that state what the exchange assumes: queries for the same messages have the same. */
  readonly normalized: string;
  /** Identifies its messages; two queries with the same value cannot be told apart. */
  readonly identity: string;
  /** The wallet it is about; null for none. */
  readonly user: string | null;
}

export function isRelayedType(type: unknown): type is RelayedType {
  return typeof type === 'string' && Object.hasOwn(RELAYED_CHANNELS, type);
}

/** What the exchange assumes if a field is absent. Some SDKs send these always, others never. */
const ASSUMED: Readonly<Record<string, unknown>> = {
  aggregateByTime: false,
  fast: false,
  ignorePortfolioMargin: false,
};

/** Reads the body of a subscription to a relayed channel. Unknown fields are passed on (WS-60). */
export function readRelayed(
  type: RelayedType,
  body: Readonly<Record<string, unknown>>,
): RelayedQuery | { readonly problem: string } {
  const channel: RelayedChannel = RELAYED_CHANNELS[type];
  const given = Object.entries(body).filter(([name, value]) => value !== null && !(name === 'dex' && value === ''));
  const read = decodeRequest(channel.body, Object.fromEntries(given));
  if (read.kind === 'refused') return { problem: `${read.path} ${read.problem}` };
  const fields = Object.entries(read.request as Record<string, unknown>);
  const known = new Map(fields);
  const echoed = Object.keys(channel.echoed).map((name) => valueOf(known.get(name)));
  const wanted = known.get('user');
  return {
    type,
    begins: channel.begins,
    text: canonicalJson(read.request),
    normalized: canonicalJson(Object.fromEntries(fields.filter(([name, value]) => value !== ASSUMED[name]))),
    identity: [type, ...echoed].join(' '),
    user: typeof wanted === 'string' ? wanted : null,
  };
}

/** The `identity` values of the queries that a message of the exchange may belong to. */
export function identitiesOf(channel: string, data: unknown): readonly string[] {
  return Object.entries(RELAYED_CHANNELS).flatMap(([type, { echoed, ...rest }]) => {
    const channels: readonly string[] = 'channels' in rest ? rest.channels : [type];
    if (!channels.includes(channel)) return [];
    const values = Object.values<string>(echoed).map((path) => valueOf(at(data, path)));
    return [[type, ...values].join(' ')];
  });
}

function at(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** A missing dex means the first one, whose name is empty. */
function valueOf(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : text;
}
