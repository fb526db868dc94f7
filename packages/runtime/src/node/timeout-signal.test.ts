import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { timeoutSignal } from './timeout-signal.ts';

it('aborts a combined signal even after a garbage collection', async () => {
  const other = new AbortController();
  const either = AbortSignal.any([other.signal, timeoutSignal(200)]);
  const aborted = once(either, 'abort');
  for (let count = 0; count < 3; count += 1) {
    collectGarbage();
    await turn();
  }
  await aborted;
  expect(either.reason).toMatchObject({ name: 'TimeoutError' });
});
