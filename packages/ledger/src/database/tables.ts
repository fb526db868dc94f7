/** The tables of both databases. Times are ms since the Unix epoch, secrets are SHA-256 in hexadecimal. */
export interface Tables {
  accounts: AccountsTable;
  credentials: CredentialsTable;
  sessions: SessionsTable;
  sign_in_tokens: SignInTokensTable;
  documents: DocumentsTable;
  usage: UsageTable;
  usage_months: UsageMonthsTable;
  charge_writers: ChargeWritersTable;
  charge_replays: ChargeReplaysTable;
}

interface AccountsTable {
  id: string;
  name: string;
  plan: string;
  max_credits: number;
  flex_limit: number;
  free_credits: number;
  created_at: number;
}

interface CredentialsTable {
  id: string;
  account_id: string;
  kind: 'api' | 'service';
  label: string;
  secret_hash: string;
  /** The parts of the key that may be shown: its prefix and its last four characters. */
  prefix: string;
  last_four: string;
  created_at: number;
  revoked_at: number | null;
}

interface SessionsTable {
  id: string;
  token_hash: string;
  account_id: string;
  api_credential_id: string | null;
  service_credential_id: string | null;
  created_at: number;
  expires_at: number;
}

interface SignInTokensTable {
  token_hash: string;
  account_id: string;
  api_credential_id: string | null;
  service_credential_id: string | null;
  expires_at: number;
}

/** What an account keeps for its pages, as JSON. The version counts its replacements. */
interface DocumentsTable {
  account_id: string;
  version: number;
  text: string;
}

/** Credits by account, UTC day (`2026-11-20`), credential and kind of use. */
interface UsageTable {
  account_id: string;
  day: string;
  credential_id: string;
  kind: string;
  free_credits: number;
  premium_credits: number;
}

/** The sums of `usage` by calendar month (`2026-11`), updated in the same transaction. A charge is checked against them. */
interface UsageMonthsTable {
  account_id: string;
  month: string;
  free_credits: number;
  premium_credits: number;
}

/** The last batch of charges of each process that may spool: when it was made, and which were accepted, as 1 or 0. */
interface ChargeWritersTable {
  writer: string;
  number: number;
  charged: string;
  at: number;
}

/** The batches that were replayed from a spool, and when they were made. */
interface ChargeReplaysTable {
  writer: string;
  number: number;
  at: number;
}
