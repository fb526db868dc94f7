import type { UsageWindow } from '@l4desk/protocol';
import type { UsageSums } from '../usage/usage-sums.ts';

/** An API key asks and streams; a ServiceKey reads the account's usage (§5). */
export type CredentialKind = 'api' | 'service';

/** Who is served and billed. Credits are whole numbers a calendar month (UTC), times ms since the Unix epoch. */
export interface Account {
  /** `acc_…`. */
  readonly id: string;
  /** Unique; what people type on a command line. */
  readonly name: string;
  /** What the plan is called. */
  readonly plan: string;
  /** The plan's ceiling. Together with `flexLimit` it is the limit of a month (BILL-9). */
  readonly maxCredits: number;
  /** What may be used past the ceiling. */
  readonly flexLimit: number;
  /** How many of the month's first credits are free; they count towards the limit too (BILL-18). */
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
  /** What its owner calls it; may be empty. */
  readonly label: string;
  /** What may be shown of the key: its beginning, `l4k_` or `l4s_`, and its last four characters (USE-14). */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  /** Null while the key works. */
  readonly revokedAt: number | null;
}

/** A key that is to be kept: its hash in place of its secret (AUTH-11). `issueKey` makes one. */
export interface NewCredential extends Omit<Credential, 'accountName' | 'revokedAt'> {
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly secretHash: string;
}

/** Which credentials a browser signed in with; at least one of the two. */
export interface SessionCredentials {
  readonly accountId: string;
  readonly apiCredentialId: string | null;
  readonly serviceCredentialId: string | null;
}

/** The part of a session that its cookie identifies: the token's SHA-256 in place of the token, times in ms since the Unix epoch. */
export interface NewSession {
  readonly id: string;
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A browser that is signed in. A credential it never had, or that was revoked since, is null. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly api: SessionCredential | null;
  readonly service: SessionCredential | null;
  readonly expiresAt: number;
}

/** What a session shows of one of its credentials. */
export type SessionCredential = Pick<Credential, 'id' | 'label' | 'prefix' | 'lastFour'>;

/** What an account may use a month; whole numbers. */
export type Plan = Pick<Account, 'plan' | 'maxCredits' | 'flexLimit' | 'freeCredits'>;

/** What is to change of a plan; the rest stays as it is. */
export type PlanChanges = { readonly [K in keyof Plan]?: Plan[K] | undefined };

/** Credits of one UTC day (`2026-11-20`) by one credential that were never asked for: a demo shows them. */
export interface SimulatedUse {
  readonly day: string;
  readonly credentialId: string;
  readonly free: number;
  readonly premium: number;
}

/**
 * Accounts, keys, sessions and what was used, as they are kept. Every method is one transaction, durable when it resolves;
 * arguments and results are plain data, so that a thread or another machine can be in between. Times (`now`) are ms since
 * the Unix epoch, hashes SHA-256 in hexadecimal. Methods reject with DatabaseError, and have changed nothing then.
 */
export interface Store {
  /** Resolves with the account, or with undefined when its name is taken. */
  createAccount(account: Account): Promise<Account | undefined>;
  /** Undefined when no account has the id. */
  account(id: string): Promise<Account | undefined>;
  /** Undefined when no account has the name, letter by letter. */
  accountNamed(name: string): Promise<Account | undefined>;
  /** All of them, oldest first. */
  listAccounts(): Promise<readonly Account[]>;
  /** Changes what is given of an account's plan; resolves with the account as it is then, undefined when none has the name. */
  setPlan(name: string, changes: PlanChanges): Promise<Account | undefined>;

  /** Keeps a key. Rejects when its account does not exist or its id or hash is there already. */
  createCredential(credential: NewCredential): Promise<void>;
  /** Those of one account, or of all, oldest first, revoked ones too. */
  listCredentials(accountId?: string): Promise<readonly Credential[]>;
  /** Revokes a key from `now` on; a second time changes nothing. */
  revokeCredential(id: string, now: number): Promise<'revoked' | 'already-revoked' | 'unknown'>;
  /** For each hash, in their order, its key, revoked or not. */
  credentialsByHash(secretHashes: readonly string[]): Promise<readonly (Credential | undefined)[]>;
  /** Undefined when no key has the id. */
  credential(id: string): Promise<Credential | undefined>;

  /** Keeps a session. Of the account's others the newest stay, so that it has at most this many. */
  createSession(session: NewSession, credentials: SessionCredentials, sessionsMax: number): Promise<void>;
  /** For each hash, in their order, its session that has not expired and still has a credential. */
  sessionsByHash(tokenHashes: readonly string[], now: number): Promise<readonly (Session | undefined)[]>;
  /** Undefined when it is unknown, has expired or has no credential left. */
  session(id: string, now: number): Promise<Session | undefined>;
  /** Forgets a session; a missing one is not an error. */
  endSession(id: string): Promise<void>;

  /** Keeps a one-time sign-in token; earlier ones of the account are void from then on. */
  createSignInToken(
    token: { readonly tokenHash: string; readonly expiresAt: number },
    credentials: SessionCredentials,
  ): Promise<void>;
  /** Turns a sign-in token into a session, exactly once; false when it is unknown, spent or expired (AUTH-22). */
  spendSignInToken(tokenHash: string, session: NewSession, sessionsMax: number): Promise<boolean>;

  /** What an account used in a window of UTC days, both included, summed up (§4.8); nothing for an account that is not there. */
  usageSums(accountId: string, window: UsageWindow): Promise<UsageSums>;
  /** Keeps simulated use, unless the account has used anything, simulated or not; resolves with whether it did. */
  addSimulatedUsage(accountId: string, uses: readonly SimulatedUse[]): Promise<boolean>;
  /** The first and the last day with simulated use; undefined when there is none. */
  simulatedWindow(accountId: string): Promise<UsageWindow | undefined>;

  /** Forgets sessions and tokens that have expired, and names of batches of charges that no spool can hold any more (PG-11). */
  deleteExpired(now: number): Promise<void>;
  /** Resolves when the database can be read. */
  ping(): Promise<void>;
  /** Closes the database; calls after it reject. */
  close(): Promise<void>;
}
