import { isDecimalString } from './primitives.ts';

/** A problem of one field. Callers build the full path only for a problem, because checks are many. */
export type FieldProblem = readonly [field: string, problem: string];

/** A non-negative integer that a double holds exactly. */
function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The first problem of an order's fields other than its place in the book (§2.6, §2.7). */
export function detailProblem(order: Readonly<Record<string, unknown>>): FieldProblem | undefined {
  if (!isWhole(order.oid)) return ['oid', 'must be a non-negative integer'];
  if (!isWhole(order.timestamp)) return ['timestamp', 'must be a non-negative integer'];
  if (typeof order.orderType !== 'string') return ['orderType', 'must be a string'];
  if (typeof order.triggerCondition !== 'string') return ['triggerCondition', 'must be a string'];
  // Nearly every order has this value; a pattern test for each of them would be a tenth of the whole check.
  if (order.triggerPx !== '0.0' && !isDecimalString(order.triggerPx)) return ['triggerPx', 'must be a decimal string'];
  if (typeof order.isTrigger !== 'boolean') return ['isTrigger', 'must be true or false'];
  if (typeof order.isPositionTpsl !== 'boolean') return ['isPositionTpsl', 'must be true or false'];
  if (typeof order.reduceOnly !== 'boolean') return ['reduceOnly', 'must be true or false'];
  if (order.tif !== null && typeof order.tif !== 'string') return ['tif', 'must be a string or null'];
  if (order.cloid !== null && typeof order.cloid !== 'string') return ['cloid', 'must be a string or null'];
  return undefined;
}
