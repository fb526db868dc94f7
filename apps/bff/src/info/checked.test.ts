import { INFO_KINDS } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import type { ResponseReader } from '../exchange/info-client.ts';
import { UpstreamResponse } from '../exchange/response.ts';
import { checkedKind } from './checked.ts';

const ENTRY = '{"coin":"BTC","fundingRate":"0.0000125","premium":"0.0001","time":1778002752001}';

it('[UP-28] reads a large response in many steps', async () => {
  const response = new UpstreamResponse([Buffer.from(`[${Array.from({ length: 1000 }, () => ENTRY).join()}]`)]);
  let steps = 0;
  const info = {
    reading<T>(read: ResponseReader<T>) {
      const ask = async (): Promise<T> => {
        const reading = read(response);
        for (;;) {
          const { done, value } = reading.next();
          if (done === true) return value;
          steps += 1;
        }
      };
      return { ask, together: () => ask };
    },
  };
  const kind = checkedKind({
    ...INFO_KINDS.fundingHistory,
    type: 'fundingHistory',
    info,
    serve: (rows) => rows.slice(-2),
  });
  const call = { account: 'a', encoding: 'identity', clientGone: new AbortController().signal } as const;
  const query = { type: 'fundingHistory', coin: 'BTC', startTime: 0, endTime: undefined } as const;
  const { parts } = kind.check(await kind.fetch(query, call), query);
  expect(Buffer.concat(parts).toString()).toBe(`[${ENTRY},${ENTRY}]`);
  expect(steps).toBeGreaterThanOrEqual(20);
});
