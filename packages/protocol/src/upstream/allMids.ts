import { decimalString } from '../primitives.ts';
import { z } from '../zod.ts';

/** Response of `allMids`: the mid price of every coin that has one, spot pairs as `@<N>`. */
export const allMids = z.record(z.string(), decimalString);
