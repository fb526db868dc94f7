import { address, coinName, lowerCaseAddress, millis, z } from '@l4desk/protocol';

/** Fields of requests. Null and left out are the same, as at the exchange. */
export const user = address.transform(lowerCaseAddress);

export const dex = z
  .string()
  .nullish()
  .transform((name) => name ?? '');

export const coin = coinName;

export const optionalTime = millis.nullish();
