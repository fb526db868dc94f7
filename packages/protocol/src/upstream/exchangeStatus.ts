import { millis } from '../primitives.ts';
import { z } from '../zod.ts';

/** Response of `exchangeStatus`: the time of the state that the upstream serves. */
export const exchangeStatus = z.looseObject({ time: millis });
