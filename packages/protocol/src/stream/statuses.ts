import { readArray } from '../change.ts';
import { isObject } from '../json.ts';
import { isAddress, isDecimalString } from '../primitives.ts';
import { WireFormatError } from '../wire-format-error.ts';
import { isStatusTime, type OrderStatus } from './batch.ts';

/** Reads order statuses. Every specified field is checked, because the text is passed on; nothing is copied. */
export function readStatuses(value: unknown, path: string): readonly OrderStatus[] {
  const statuses = readArray(value, path);
  for (let index = 0; index < statuses.length; index += 1) {
    const problem = statusProblem(statuses[index]);
    if (problem !== undefined) throw new WireFormatError(`${path}[${index}]${problem[0]}`, problem[1]);
  }
  return statuses as readonly OrderStatus[];
}

function statusProblem(value: unknown): FieldProblem | undefined {
  if (!isObject(value)) return ['', 'must be an object'];
  if (!isAddress(value.user)) return ['.user', 'must be a wallet address'];
  if (!isStatusTime(value.time)) return ['.time', 'must be an ISO-8601 time without a zone'];
  if (typeof value.status !== 'string') return ['.status', 'must be a string'];
  const { order } = value;
  if (!isObject(order)) return ['.order', 'must be an object'];
  if (order.user !== null && !isAddress(order.user)) return ['.order.user', 'must be a wallet address or null'];
  if (typeof order.coin !== 'string') return ['.order.coin', 'must be a string'];
  if (order.side !== 'B' && order.side !== 'A') return ['.order.side', 'must be B or A'];
  if (!isDecimalString(order.limitPx)) return ['.order.limitPx', 'must be a decimal string'];
  if (!isDecimalString(order.sz)) return ['.order.sz', 'must be a decimal string'];
  const problem = detailProblem(order);
  return problem === undefined ? undefined : [`.order.${problem[0]}`, problem[1]];
}

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
