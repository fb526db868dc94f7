/** What the service speaks to its clients: schemas, types, limits, tariff and error codes. */
export {
  type BookChange,
  type InsertChange,
  type RemoveChange,
  type ResizeChange,
} from './change.ts';
export * from './errors.ts';
export * from './info/decode.ts';
export * from './info/l4BookSnapshot.ts';
export * from './limits.ts';
export * from './order.ts';
export * from './primitives.ts';
export * from './session.ts';
export * from './stream/batch.ts';
export * from './stream/decode.ts';
export * from './stream/messages.ts';
export * from './stream/subscription.ts';
export * from './tariff.ts';
export { z } from './zod.ts';
