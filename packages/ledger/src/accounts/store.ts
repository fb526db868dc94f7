import type { UsageWindow } from '@l4desk/protocol';
import type { UsageSums } from '../usage/usage-sums.ts';

/** An API key asks and streams; a ServiceKey reads the account's usage (§5). */
export type CredentialKind = 'api' | 'service';

/** Who is served and billed. Credits are whole numbers a calendar month. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly maxCredits: number;
  readonly flexLimit: number;
  readonly freeCredits: number;
  readonly createdAt: number;
}

/** A key without its secret. */
export interface Credential {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly kind: CredentialKind;
  readonly label: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export interface NewCredential {
  readonly id: string;
  readonly accountId: string;
  readonly kind: CredentialKind;
  readonly label: string;
  readonly secretHash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
}

/** Which credentials a browser signed in with; at least one of the two. */
export interface SessionCredentials {
  readonly accountId: string;
  readonly apiCredentialId: string | null;
  readonly serviceCredentialId: string | null;
}

/** The part of a session its cookie stands for. */
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

export interface SessionCredential {
  readonly id: string;
  readonly label: string;
  readonly prefix: string;
  readonly lastFour: string;
}

/** What an account may use a month; whole numbers. */
export type Plan = Pick<Account, 'plan' | 'maxCredits' | 'flexLimit' | 'freeCredits'>;

/** What is to change of a plan; the rest stays as it is. */
export type PlanChanges = { readonly [K in keyof Plan]?: Plan[K] | undefined };

/** Credits of one day by one credential that were never asked for: a demo shows them. */
export interface SimulatedUse {
  readonly day: string;
  readonly credentialId: string;
  readonly free: number;
  readonly premium: number;
}

/**
 * Accounts, keys, sessions and what was used, as they are kept. Every method is one transaction; arguments and answers are plain data,
 * so that a thread or another machine can stand between. Methods reject with DatabaseError.
 */
export interface Store {
  /** Undefined when the name is taken. */
  createAccount(account: Account): Promise<Account | undefined>;
  account(id: string): Promise<Account | undefined>;
  accountNamed(name: string): Promise<Account | undefined>;
  listAccounts(): Promise<readonly Account[]>;
  /** Changes what is given of an account's plan; answers it as it is then, undefined when no account has the name. */
  setPlan(name: string, changes: PlanChanges): Promise<Account | undefined>;

  createCredential(credential: NewCredential): Promise<void>;
  /** Those of one account, or of all, oldest first, revoked ones too. */
  listCredentials(accountId?: string): Promise<readonly Credential[]>;
  /** Revokes a key; a second time changes nothing. */
  revokeCredential(id: string, now: number): Promise<'revoked' | 'already-revoked' | 'unknown'>;
  /** For each hash, in their order, its key, revoked or not. */
  credentialsByHash(secretHashes: readonly string[]): Promise<readonly (Credential | undefined)[]>;
  credential(id: string): Promise<Credential | undefined>;

  /** Keeps a session. Of the account's others the newest stay, so that it has at most so many. */
  createSession(session: NewSession, credentials: SessionCredentials, sessionsMax: number): Promise<void>;
  /** For each hash, in their order, its session that has not expired and still has a credential. */
  sessionsByHash(tokenHashes: readonly string[], now: number): Promise<readonly (Session | undefined)[]>;
  session(id: string, now: number): Promise<Session | undefined>;
  endSession(id: string): Promise<void>;

  /** Keeps a one-time sign-in token; earlier ones of the account are void from then on. */
  createSignInToken(
    token: { readonly tokenHash: string; readonly expiresAt: number },
    credentials: SessionCredentials,
  ): Promise<void>;
  /** Turns a sign-in token into a session, exactly once; false when it is unknown, spent or expired (AUTH-22). */
  spendSignInToken(tokenHash: string, session: NewSession, sessionsMax: number): Promise<boolean>;

  /** What an account used in a window, summed up (§4.8). */
  usageSums(accountId: string, window: UsageWindow): Promise<UsageSums>;
  /** Keeps simulated use, unless the account has used anything, simulated or not; whether it did. */
  addSimulatedUsage(accountId: string, uses: readonly SimulatedUse[]): Promise<boolean>;
  /** The first and the last day with simulated use; undefined when there is none. */
  simulatedWindow(accountId: string): Promise<UsageWindow | undefined>;

  /** Forgets sessions and tokens that have expired. */
  deleteExpired(now: number): Promise<void>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
