import { address, coinName, lowerCaseAddress, millis, z } from '@l4desk/protocol';
import { InvalidInfoRequest } from './invalid-request.ts';

/** Fields of requests. Null and left out are the same, as at the exchange. */
export const user = address.transform(lowerCaseAddress);

export const dex = z
  .string()
  .nullish()
  .transform((name) => name ?? '');

export const coin = coinName;

export const optionalTime = millis.nullish();

/** Reads a request; one that does not fit is refused as the exchange does (VENUE-11). */
export function readRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const { data } = schema.safeParse(request);
  if (data === undefined) throw new InvalidInfoRequest();
  return data;
}
