import { readArray } from '../change.ts';
import { isObject } from '../json.ts';
import { detailProblem, type FieldProblem } from '../order-check.ts';
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
