import { millis, z } from '@l4desk/protocol';
import { optionalTime, user } from './fields.ts';
import { infoKind } from './kind.ts';
import { FILLS_MAX } from './userFills.ts';

/** A wallet's executions from one time to another, both included, oldest first unless `reversed`. `aggregateByTime` is ignored. */
export const userFillsByTime = infoKind({
  type: 'userFillsByTime',
  weight: 20,
  itemsCost: true,
  request: z.object({ user, startTime: millis, endTime: optionalTime, reversed: z.boolean().nullish() }),
  respond(asked, exchange) {
    const end = asked.endTime ?? exchange.time;
    const fills = exchange.fills(asked.user).filter(({ time }) => time >= asked.startTime && time <= end);
    return (asked.reversed === true ? fills : fills.toReversed()).slice(0, FILLS_MAX);
  },
});
