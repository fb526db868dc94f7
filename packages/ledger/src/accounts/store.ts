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

/** A text that an account keeps, and how often it was replaced. */
export interface StoredDocument {
  readonly version: number;
  readonly text: string;
}
