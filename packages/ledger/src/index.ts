/** Accounts, credentials, sessions, credits and usage, and the database that stores them. */
export type { CreditStanding, Usage, UsageWindow } from '@l4desk/protocol';
export { simulateUsage } from './accounts/demo-usage.ts';
export {
  CREDENTIAL_NAME,
  createId,
  createKey,
  createToken,
  equalHashes,
  keyHash,
  type NewKey,
  sha256,
  shownKey,
} from './accounts/keys.ts';
export { KyselyStore, type Store } from './accounts/kysely-store.ts';
export { accountName, creditCount, DEFAULT_PLAN, issueKey, keyLabel, newAccount } from './accounts/new-account.ts';
export * from './accounts/store.ts';
export { createDatabaseFile } from './create-database-file.ts';
export { KyselyLedger } from './credits/kysely-ledger.ts';
export { Ledger, type LedgerDeps, LedgerError, type Meter, type Payer, type Reservation } from './credits/ledger.ts';
export {
  type Batch,
  type Charge,
  type Commit,
  type LedgerTable,
  type MonthUsage,
} from './credits/ledger-table.ts';
export { backUpDatabase, restoreDatabase } from './database/backup-database.ts';
export { copyDatabase, type TableContent } from './database/copy-database.ts';
export { DatabaseError, inTime } from './database/database-error.ts';
export { openDatabaseThread, type Parts, serveDatabase, startDatabaseThread } from './database/database-thread.ts';
export { isPostgresUrl, openDatabase } from './database/open-database.ts';
export type { Tables } from './database/tables.ts';
export { KyselyUsageReader, type UsageReader, usageResponse } from './usage/usage-reader.ts';
export type { UsageSums } from './usage/usage-sums.ts';
