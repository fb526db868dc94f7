import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

/** Accounts that report what is available after margin are unified. */
export const userAbstraction = infoKind({
  type: 'userAbstraction',
  weight: 20,
  request: z.object({ user }),
  respond: (asked, exchange) =>
    exchange.availableAfterMaintenance(asked.user) === null ? 'default' : 'unifiedAccount',
});
