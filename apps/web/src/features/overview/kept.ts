import { z } from '@l4desk/protocol';
import type { Dated } from '../../hooks/use-kept-value.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';

export const dated = <T extends z.ZodType>(value: T) => z.object({ at: z.number(), value });

export function isOld(shown: Dated<unknown> | undefined, now: number): boolean {
  return shown !== undefined && now - shown.at > STALE_AFTER_MS;
}
