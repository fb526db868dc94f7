import type { UsageWindow } from '@l4desk/protocol';
import type { UsageSums } from '../usage/usage-sums.ts';

/** An API key authorizes queries and streams; a ServiceKey reads the account's usage (§5). */
export type CredentialKind = 'api' | 'service';

/** An account that is served and billed. Credits are per calendar month (UTC), times are ms since the Unix epoch. */
export interface Account {
  /** `acc_…`. */
  readonly id: string;
  /** Unique. Typed on the command line. */
  readonly name: string;
  readonly plan: string;
  /** The plan's ceiling. Together with `flexLimit` it is the limit of a month (BILL-9). */
  readonly maxCredits: number;
  /** Credits that may be used past the ceiling. */
  readonly flexLimit: number;
  /** How many of the month's first credits are free. They also count towards the limit (BILL-18). */
  readonly freeCredits: number;
  readonly createdAt: number;
}

/** A key without its secret. Times are ms since the Unix epoch. */
export interface Credential {
  /** `key_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly kind: CredentialKind;
  /** The owner's label. May be empty. */
  readonly label: string;
  /** The parts of the key that may be shown: its prefix, `l4k_` or `l4s_`, and its last four characters (USE-14). */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  /** Null while the key is valid. */
  readonly revokedAt: number | null;
}

/** A key to store, with its hash instead of its secret. `issueKey` creates one. */
export interface NewCredential extends Omit<Credential, 'accountName' | 'revokedAt'> {
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly secretHash: string;
}

/** The credentials a browser signed in with: at least one of the two. */
export interface SessionCredentials {
  readonly accountId: string;
  readonly apiCredentialId: string | null;
  readonly serviceCredentialId: string | null;
}

/** The part of a session that its cookie identifies, with the token's SHA-256. Times are ms since the Unix epoch. */
export interface NewSession {
  readonly id: string;
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A signed-in browser. A credential that it never had, or that has been revoked since, is null. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly api: SessionCredential | null;
  readonly service: SessionCredential | null;
  readonly expiresAt: number;
}

/** The fields of a credential that a session shows. */
export type SessionCredential = Pick<Credential, 'id' | 'label' | 'prefix' | 'lastFour'>;

/** What an account may use per month, in whole numbers. */
export type Plan = Pick<Account, 'plan' | 'maxCredits' | 'flexLimit' | 'freeCredits'>;

/** The fields of a plan to change. The others stay the same. */
export type PlanChanges = { readonly [K in keyof Plan]?: Plan[K] | undefined };

/** Simulated credits of one UTC day (`2026-11-20`) by one credential, shown in a demo. */
export interface SimulatedUse {
  readonly day: string;
  readonly credentialId: string;
  readonly free: number;
  readonly premium: number;
}

/**
 * Stored accounts, keys, sessions and usage. Every method is one durable transaction with plain data; one that rejects
 * with DatabaseError has changed nothing. Times are ms since the Unix epoch, hashes SHA-256 in hexadecimal.
 */
export interface Store {
  /** Resolves with the account, or with undefined if its name is taken. */
  createAccount(account: Account): Promise<Account | undefined>;
  account(id: string): Promise<Account | undefined>;
  accountNamed(name: string): Promise<Account | undefined>;
  /** All accounts, oldest first. */
  listAccounts(): Promise<readonly Account[]>;
  /** Changes the given fields of an account's plan. Resolves with the changed account, or with undefined if none has the name. */
  setPlan(name: string, changes: PlanChanges): Promise<Account | undefined>;

  /** Stores a key. Rejects if its account does not exist, or its id or hash exists already. */
  createCredential(credential: NewCredential): Promise<void>;
  /** The keys of one account, or of all accounts, oldest first, including revoked ones. */
  listCredentials(accountId?: string): Promise<readonly Credential[]>;
  /** Revokes a key from `now` on. Revoking it again changes nothing. */
  revokeCredential(id: string, now: number): Promise<'revoked' | 'already-revoked' | 'unknown'>;
  /** For each hash, in order, its key, revoked or not. */
  credentialsByHash(secretHashes: readonly string[]): Promise<readonly (Credential | undefined)[]>;
  credential(id: string): Promise<Credential | undefined>;

  /** Stores a session. Ends the account's oldest sessions, so that it has at most `sessionsMax`. */
  createSession(session: NewSession, credentials: SessionCredentials, sessionsMax: number): Promise<void>;
  /** For each hash, in order, its session, if it has not expired and still has a credential. */
  sessionsByHash(tokenHashes: readonly string[], now: number): Promise<readonly (Session | undefined)[]>;
  /** Undefined if it is unknown, has expired or has no credential left. */
  session(id: string, now: number): Promise<Session | undefined>;
  endSession(id: string): Promise<void>;

  /** Stores a one-time sign-in token. Earlier tokens of the account become invalid. */
  createSignInToken(
    token: { readonly tokenHash: string; readonly expiresAt: number },
    credentials: SessionCredentials,
  ): Promise<void>;
  /** Turns a sign-in token into a session, exactly once. False if the token is unknown, spent or expired (AUTH-22). */
  spendSignInToken(tokenHash: string, session: NewSession, sessionsMax: number): Promise<boolean>;

  /** Sums up an account's usage in a window of UTC days, both inclusive (§4.8). Empty if the account does not exist. */
  usageSums(accountId: string, window: UsageWindow): Promise<UsageSums>;
  /** Stores simulated usage, unless the account has used anything, simulated or not. Resolves with whether it did. */
  addSimulatedUsage(accountId: string, uses: readonly SimulatedUse[]): Promise<boolean>;
  /** The first and last day with simulated usage. Undefined if there is none. */
  simulatedWindow(accountId: string): Promise<UsageWindow | undefined>;

  /** Deletes expired sessions and tokens, and names of batches of charges that no spool can still hold. */
  deleteExpired(now: number): Promise<void>;
  /** Resolves if the database can be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
