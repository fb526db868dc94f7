import { address, coinName, lowerCaseAddress, millis, z } from '@l4desk/protocol';

/** Fields of requests. As on the exchange, null means the same as absent. */
export const user = address.transform(lowerCaseAddress);

export const dex = z
  .string()
  .nullish()
  .transform((name) => name ?? '');

export const coin = coinName;

export const optionalTime = millis.nullish();
