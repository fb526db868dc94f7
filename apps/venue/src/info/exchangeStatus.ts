import { infoKind } from './kind.ts';

export const exchangeStatus = infoKind({
  type: 'exchangeStatus',
  weight: 2,
  // The clock, not the time of the last block: a market that is paused, slow or recorded is still up to date.
  respond: () => ({ time: Date.now(), specialStatuses: null }),
});
