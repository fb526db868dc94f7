import type { Address } from '@l4desk/protocol';
import { respondError } from '@l4desk/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Client,
  clearinghouseStates,
  createClient,
  spotClearinghouseStates,
  WalletError,
  type WalletsProgress,
  WireFormatError,
} from '../index.ts';
import { type Asked, InfoService, respondJson } from '../test-support/info-service.ts';
import { Recorder } from '../test-support/recorder.ts';

let service: InfoService;
let client: Client;
beforeAll(async () => {
  service = await InfoService.start(() => {});
  client = createClient({ baseUrl: service.url });
});
beforeEach(() => {
  service.asked.length = 0;
  service.respond = (asked, response) => respondJson(response, slotsOf(asked));
});
afterAll(() => service[Symbol.asyncDispose]());

const wallet = (index: number): Address =>
  `0x${index.toString(16).padStart(40, 'b000000000000000000000000000000000000000')}`;
const wallets = (count: number) => Array.from({ length: count }, (_, index) => wallet(index));
const usersOf = ({ body }: Asked) => body?.users as readonly Address[];

/** As §4.1 specifies: one slot per wallet. Wallets that end in 7 fail. */
const slotsOf = (asked: Asked) => usersOf(asked).map(slotOf);
function slotOf(user: Address) {
  if (user.endsWith('7')) return { error: 'upstream_error', user, message: 'upstream returned HTTP 500' };
  return { user, balances: [], evmEscrows: [] };
}

describe('spotClearinghouseStates', () => {
  it('[BATCH-2] splits past 50 wallets and keeps their order', async () => {
    const users = wallets(120);
    const { results, calls, credits } = await spotClearinghouseStates(client, { users });
    expect(results.map(({ user }) => user)).toEqual(users);
    expect(service.asked.map((asked) => usersOf(asked).length).toSorted((a, b) => a - b)).toEqual([20, 50, 50]);
    expect({ calls, credits }).toEqual({ calls: 3, credits: 75 });
    expect(results[0]).toEqual({ kind: 'state', user: users[0], state: slotOf(wallet(0)) });
  });

  it('removes duplicates over all calls, ignoring letter case, and keeps the place of the first', async () => {
    const upper = wallets(60).map((user): Address => `0x${user.slice(2).toUpperCase()}`);
    const { results, calls } = await spotClearinghouseStates(client, { users: [...upper, ...wallets(61)] });
    expect(results.map(({ user }) => user)).toEqual(wallets(61));
    expect(calls).toBe(2);
  });

  it('[BATCH-18] returns a failed wallet as a failed and retryable result', async () => {
    const { results, retryable } = await spotClearinghouseStates(client, { users: wallets(10) });
    const [failed, ...others] = results.filter((result) => result.kind === 'failed');
    expect(others).toEqual([]);
    expect(failed?.error).toBeInstanceOf(WalletError);
    expect(failed).toMatchObject({
      user: wallet(7),
      error: { code: 'upstream_error', retryable: true, message: 'upstream returned HTTP 500', user: wallet(7) },
    });
    expect(retryable).toEqual([wallet(7)]);
  });

  it('fails only the wallets of a failed call, and lists the retryable ones together', async () => {
    service.respond = (asked, response) => {
      if (usersOf(asked).includes(wallet(0)))
        respondError(response, 'upstream_timeout', 'the exchange did not respond');
      else if (usersOf(asked).includes(wallet(60))) response.destroy();
      else if (usersOf(asked).includes(wallet(110))) respondError(response, 'invalid_request', 'no');
      else respondJson(response, slotsOf(asked));
    };
    const users = wallets(160).filter((user) => !user.endsWith('7'));
    const { results, retryable, calls, credits } = await spotClearinghouseStates(client, { users });
    const kinds = results.map((result) => (result.kind === 'failed' ? result.error.code : 'state'));
    expect(kinds.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 'upstream_timeout'));
    expect(kinds.slice(50, 100)).toEqual(Array.from({ length: 50 }, () => 'network'));
    expect(kinds.slice(100)).toEqual(Array.from({ length: 50 }, () => 'invalid_request'));
    expect(retryable).toEqual(users.slice(0, 100));
    expect({ calls, credits }).toEqual({ calls: 0, credits: 0 });
  });

  it.each([
    ['one slot too few', (slots: readonly object[]) => slots.slice(1)],
    ['two swapped slots', ([a, b, ...slots]: readonly object[]) => [b, a, ...slots]],
    ['no slots', () => ({})],
  ])('never assigns one wallet’s state to another: %s', async (_, spoil) => {
    service.respond = (asked, response) => respondJson(response, spoil(slotsOf(asked)));
    const { results, retryable, credits } = await spotClearinghouseStates(client, { users: wallets(3) });
    expect(results.map((result) => result.kind === 'failed' && result.error)).toEqual(
      Array.from({ length: 3 }, () => expect.any(WireFormatError)),
    );
    expect(retryable).toEqual([]);
    expect(credits).toBe(25);
  });

  it.each([
    ['unauthorized', 401],
    ['credits_exhausted', 402],
    ['wrong_credential', 403],
  ] as const)('sends no more calls after %s, which would apply to every call', async (code, status) => {
    service.respond = (_, response) => respondError(response, code, 'no');
    const { results, retryable } = await spotClearinghouseStates(client, { users: wallets(500) }, { parallel: 1 });
    expect(service.asked).toHaveLength(1);
    expect(results).toHaveLength(500);
    expect(new Set(results.map((result) => result.kind === 'failed' && result.error))).toEqual(
      new Set([expect.objectContaining({ code, status })]),
    );
    expect(retryable).toEqual([]);
  });

  it('has no more calls in flight than allowed, and reports progress', async () => {
    const waiting = new Recorder<() => void>();
    service.respond = (asked, response) => waiting.add(() => respondJson(response, slotsOf(asked)));
    const progress = new Recorder<WalletsProgress>();
    const call = spotClearinghouseStates(client, { users: wallets(230) }, { parallel: 2, onProgress: progress.add });
    for (let released = 0; released < 5; released += 1) {
      await waiting.until(() => waiting.seen.length === Math.min(5, released + 2));
      waiting.seen[released]?.();
      await progress.until(() => progress.seen.length === released + 1);
      expect(waiting.seen.length).toBeLessThanOrEqual(released + 3);
    }
    expect((await call).results.map(({ user }) => user)).toEqual(wallets(230));
    expect(progress.seen.at(-1)).toEqual({ walletsDone: 230, walletsTotal: 230, credits: 125 });
  });

  it('ends with the reason of the signal, and starts no more calls', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    service.respond = () => {
      if (service.asked.length === 2) controller.abort(reason);
    };
    const call = spotClearinghouseStates(client, { users: wallets(400) }, { parallel: 2, signal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(service.asked).toHaveLength(2);
  });

  it('sends nothing if the list contains an invalid wallet', async () => {
    const users = [wallet(1), '0x12' as const];
    await expect(spotClearinghouseStates(client, { users })).rejects.toThrow('users[1] must be a wallet address');
    await expect(spotClearinghouseStates(client, { users: wallets(1) }, { parallel: 0 })).rejects.toThrow(RangeError);
    expect(service.asked).toEqual([]);
  });
});

it('clearinghouseStates returns perp accounts, on a builder dex too', async () => {
  const summary = { accountValue: '1.0', totalNtlPos: '0.0', totalRawUsd: '1.0', totalMarginUsed: '0.0' };
  const state = {
    marginSummary: summary,
    crossMarginSummary: summary,
    withdrawable: '1.0',
    assetPositions: [],
    time: 1,
  };
  service.respond = (asked, response) =>
    respondJson(
      response,
      usersOf(asked).map((user) => ({ user, ...state })),
    );
  const { results } = await clearinghouseStates(client, { users: wallets(2), dex: 'xyz' });
  expect(service.asked.at(-1)?.body).toEqual({ type: 'batchClearinghouseState', dex: 'xyz', users: wallets(2) });
  expect(results.map((result) => result.kind === 'state' && result.state.withdrawable)).toEqual(['1.0', '1.0']);
});
