import type { CreditStanding } from '@l4desk/protocol';

/** Why credits cannot be held or charged. Nothing is charged. */
export class LedgerError extends Error {
  /** `credits_exhausted`: the account's credits do not suffice; `ledger_unavailable`: the database does not accept charges now. */
  readonly code: 'credits_exhausted' | 'ledger_unavailable';
  /** The account's credits, if they do not suffice. */
  readonly credits: CreditStanding | undefined;

  constructor(code: LedgerError['code'], message: string, details: { credits?: CreditStanding; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LedgerError';
    this.code = code;
    this.credits = details.credits;
  }
}
