import { ServiceError, TransportError } from '@l4desk/client';
import { type Address, type HttpErrorCode, WireFormatError } from '@l4desk/protocol';
import { expect, it, vi } from 'vitest';
import { click, render } from '../../test-support/render.ts';
import { CallStates } from './call-states.tsx';
import { type AskedOrders, asksFor, type OrderAsk } from './use-order-calls.ts';

const A: Address = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const B: Address = '0x31ca8395cf837de08b24da3f660e77761dfb974b';

const refusal = (status: number, error: HttpErrorCode, message: string, path?: string) =>
  new ServiceError(status, { error, message, code: status, msg: message, ...(path === undefined ? {} : { path }) });
const UNKNOWN = refusal(400, 'invalid_request', 'the exchange has no builder dex with this name', 'dex');
const BUSY = refusal(503, 'upstream_busy', 'the exchange is busy');
const OTHER = refusal(400, 'invalid_request', 'not valid', 'user');

async function show(errorOf: (ask: OrderAsk) => unknown) {
  const onRetry = vi.fn<(asks: readonly OrderAsk[]) => void>();
  const onLeaveOut = vi.fn<(dex: string) => void>();
  const asked = asksFor([A, B], 'open', ['nope']).map((ask): AskedOrders => {
    const error = errorOf(ask);
    const state = error === undefined ? ({ kind: 'ok' } as const) : ({ kind: 'failed', error } as const);
    return { ask, state, rows: undefined, unreadable: [], at: undefined, refreshing: false };
  });
  const { container } = await render(<CallStates asked={asked} onRetry={onRetry} onLeaveOut={onLeaveOut} />);
  const buttons = [...container.querySelectorAll('button')];
  return { container, buttons, texts: buttons.map(({ textContent }) => textContent), onRetry, onLeaveOut };
}

it('an unknown builder dex is reported once for all wallets, with a button that leaves it out', async () => {
  const { container, buttons, texts, onLeaveOut } = await show(({ dex }) => (dex === '' ? undefined : UNKNOWN));
  expect(container.textContent).toContain('nope: Invalid request. The exchange has no builder dex with this name.');
  expect(texts).toEqual(['Remove nope']);
  expect(container.querySelectorAll('[role=alert]')).toHaveLength(1);
  for (const button of buttons) await click(button);
  expect(onLeaveOut.mock.calls).toEqual([['nope']]);
});

it('calls of wallets that failed otherwise are listed beside it, and retried', async () => {
  const { container, buttons, texts, onRetry } = await show(({ dex }) => (dex === '' ? BUSY : UNKNOWN));
  expect(container.textContent).toContain('2 calls of 4 failed');
  expect(texts).toEqual(['Remove nope', 'Retry all 2 credits', 'Retry 1 credit', 'Retry 1 credit']);
  await click(buttons[1] ?? container);
  expect(onRetry.mock.calls[0]?.[0].map(({ address, dex }) => [address, dex])).toEqual([
    [A, ''],
    [B, ''],
  ]);
});

it('a call that would fail again is not offered to be retried', async () => {
  const { container, texts } = await show(({ address, dex }) =>
    dex !== '' ? undefined : address === A ? OTHER : new TransportError('timeout', 'no response'),
  );
  expect(container.querySelectorAll('li')).toHaveLength(2);
  expect(texts).toEqual(['Retry 1 credit']);
});

it('[WEB-208] a kind that the upstream does not serve is reported once for all wallets, and not retried', async () => {
  const error = refusal(501, 'not_served_upstream', 'The upstream of this service does not serve openOrders.');
  const { container, texts } = await show(({ dex }) => (dex === '' ? error : undefined));
  expect(container.textContent).toContain('The upstream of this service does not serve openOrders.');
  expect(container.querySelectorAll('[role=alert]')).toHaveLength(1);
  expect(container.querySelector('[aria-label="Failed wallets"]')).toBeNull();
  expect(texts).toEqual([]);
});

it('[WEB-208] calls that failed otherwise are listed beside it', async () => {
  const error = refusal(501, 'not_served_upstream', 'The upstream of this service does not serve openOrders.');
  const { container, texts } = await show(({ dex, address }) =>
    dex === '' ? error : address === A ? BUSY : undefined,
  );
  expect(container.textContent).toContain('1 call of 4 failed');
  expect(texts.map((text) => text.replace(/\d+ credits?$/, ''))).toEqual(['Retry ']);
});

it('[WEB-182] rows that could not be read are counted, and the first is named', async () => {
  const asked = asksFor([A], 'open', []).map((ask): AskedOrders => {
    const unreadable = ['[3].oid', '[5]'].map(
      (at) => new WireFormatError(`frontendOpenOrders${at}`, 'must be an order'),
    );
    return { ask, state: { kind: 'ok' }, rows: undefined, unreadable, at: 1, refreshing: false };
  });
  const { container } = await render(<CallStates asked={asked} onRetry={() => {}} onLeaveOut={() => {}} />);
  expect(container.textContent).toContain('2 rows of frontendOpenOrders could not be read and are missing');
  expect(container.textContent).toContain('frontendOpenOrders[3].oid: must be an order');
});
