import { type Address, millis } from '../primitives.ts';
import { z } from '../zod.ts';

export { wallet } from '../read-address.ts';

/** The same wallet in lower case, the form that goes upstream and that responses carry (D5). */
export function lowerCaseAddress(wallet: Address): Address {
  return `0x${wallet.slice(2).toLowerCase()}`;
}

/** An optional field of a request for which `null` means the same as omitting it (D7). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A builder dex in a request. The empty string, or no value, means the canonical perp dex; it goes upstream as sent (D16). */
export const dex = orAbsent(z.string().meta({ description: 'builder dex; empty or absent: the canonical one' }));

/** An optional bound of a time window, in ms: for `endTime`, `null` or no value means the current server time (D7). */
export const optionalTime = orAbsent(millis);

/** Whether a request with a window does not end before it starts; both bounds are inclusive (D7, D18). */
export function endsAfterStart(window: object): boolean {
  if (!('startTime' in window && 'endTime' in window)) return true;
  const { startTime, endTime } = window;
  return typeof startTime !== 'number' || typeof endTime !== 'number' || endTime >= startTime;
}

/** The problem reported if it does. */
export const ENDS_BEFORE_START = { message: 'must not be before startTime', path: ['endTime'] };
