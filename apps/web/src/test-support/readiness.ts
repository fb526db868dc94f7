import type { Readiness } from '@l4desk/protocol';

/** The readiness of a healthy service that records nothing. */
export const ready: Readiness = {
  status: 'ready',
  database: { status: 'ok' },
  ledger: { status: 'ok' },
  upstreamInfo: { status: 'ok' },
  upstreamL4: { status: 'ok', ageMs: 40, blocks: null },
  books: {},
  warnings: [],
};
