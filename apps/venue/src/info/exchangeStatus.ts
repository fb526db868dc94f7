import { infoKind } from './kind.ts';

export const exchangeStatus = infoKind({
  type: 'exchangeStatus',
  weight: 2,
  respond: (_, exchange) => ({ time: exchange.time, specialStatuses: null }),
});
