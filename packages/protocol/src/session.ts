import { address } from './primitives.ts';
import { usageWindow } from './usage.ts';
import { z } from './zod.ts';

const secret = z.string().min(1).max(256);

/** Sign-in with the one-time token of a link (D34). */
export const signInWithToken = z.object({ token: secret });

/** Sign-in with an API key, a ServiceKey or both (D34). */
export const signInWithKeys = z
  .object({ apiKey: secret.optional(), serviceKey: secret.optional() })
  .refine(
    (keys) => keys.apiKey !== undefined || keys.serviceKey !== undefined,
    'must contain token, apiKey or serviceKey',
  );

/** Body of `POST /session`. */
export const sessionRequest = z.union([signInWithToken, signInWithKeys]);

export type SessionRequest = z.infer<typeof sessionRequest>;

/** A credential as it may be displayed: its prefix and last four characters, never the secret. */
export const shownCredential = z.object({
  shown: z.string().meta({ example: 'l4k_…x1Y2' }),
  label: z.string(),
});

export type ShownCredential = z.infer<typeof shownCredential>;

/** Where the data comes from. `from` and `to` are the times of a recording's first and last block, in ms. */
export const dataSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('live') }),
  z.object({ kind: z.literal('simulated') }),
  z.object({ kind: z.literal('recorded'), from: z.int(), to: z.int() }),
]);

export type DataSource = z.infer<typeof dataSource>;

/** Response of `POST /session`, and of `GET /session` when signed in. A missing or revoked credential is null. */
export const sessionState = z.object({
  account: z.object({ id: z.string(), name: z.string() }),
  credentials: z.object({ api: shownCredential.nullable(), service: shownCredential.nullable() }),
  /** Every API key of the account, including revoked ones, so that usage can be shown by label; absent without a ServiceKey. */
  accountKeys: z.array(shownCredential).optional(),
  /** Ms since the Unix epoch. */
  expiresAt: z.int(),
  /** The fields of a 402 while the account cannot pay: a browser is not told why a socket was refused. */
  creditsExhausted: z
    .object({ used: z.int().nonnegative(), limit: z.int().nonnegative(), resets_at: z.int().nonnegative() })
    .optional(),
  source: dataSource,
  demo: z.boolean(),
  /** Days of the account's usage that demo mode invented, so that there is something to show; absent if there are none. */
  simulatedUsage: usageWindow.optional(),
});

export type SessionState = z.infer<typeof sessionState>;

/** Response of `GET /session` to one of the service's own pages if the browser has no session cookie. */
export const signedOutState = z.object({ account: z.null() });

export type SignedOutState = z.infer<typeof signedOutState>;

/** Response of `GET /session/coins`: the perp coins with a book, in `meta` order, builder dexes after the canonical one. */
export const sessionCoins = z.object({
  coins: z.array(z.object({ coin: z.string(), szDecimals: z.int(), maxLeverage: z.int() })),
});

export type SessionCoins = z.infer<typeof sessionCoins>;

/** A recording stored by the service. Times are ms since the Unix epoch. */
export const recordedFile = z.object({
  name: z.string().meta({ example: 'BTC-20261122T140000000Z.l4rec' }),
  coin: z.string(),
  /** Source of its blocks. */
  source: z.string(),
  /** First and last height of which it has the book. */
  from: z.int(),
  to: z.int(),
  /** When it was started, and when it was last written to. */
  createdAt: z.int(),
  changedAt: z.int(),
  bytes: z.int(),
  /** Number of entries in its list of gaps. */
  gaps: z.int(),
  /** `writing`: it grows; `cut`: the process that wrote it was killed, and it is readable up to its last complete frame. */
  state: z.enum(['writing', 'complete', 'cut']),
});

export type RecordedFile = z.infer<typeof recordedFile>;

/** Response of `GET /session/recordings`: the service's recordings, newest first. Each is at `/session/recordings/<name>`. */
export const sessionRecordings = z.object({ recordings: z.array(recordedFile) });

export type SessionRecordings = z.infer<typeof sessionRecordings>;

/** Response of `GET /session/usage`: the credits of one window by key and by the wire name of the operation, highest first. */
export const sessionUsage = z.object({
  period: usageWindow,
  by_kind: z.array(z.object({ apikey: z.string(), kind: z.string(), credits: z.int().nonnegative() })),
});

export type SessionUsage = z.infer<typeof sessionUsage>;

/** Response of `GET /session/wallets`, in the demo only: notable wallets of the simulated exchange, and how each trades. */
export const sessionWallets = z.object({
  wallets: z.array(z.object({ address, name: z.string(), role: z.string() })),
});

export type SessionWallets = z.infer<typeof sessionWallets>;
