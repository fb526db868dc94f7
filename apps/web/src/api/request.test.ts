import { ServiceError, TransportError } from '@l4desk/client';
import { z } from '@l4desk/protocol';
import { expect, it, vi } from 'vitest';
import { command, request } from './request.ts';

const responding = (body: string, init: ResponseInit) => vi.stubGlobal('fetch', async () => new Response(body, init));

it('reads a refusal as the client does: of the service, or of something in between, and how long each asks to wait', async () => {
  responding('<html>', { status: 503, headers: { 'retry-after': '7' } });
  const between = await request('/session', z.unknown()).catch((error: unknown) => error);
  expect(between).toBeInstanceOf(TransportError);
  expect(between).toMatchObject({ code: 'status', status: 503, retryAfterMs: 7_000 });
  const body = { error: 'too_many_requests', message: 'too many', code: 429, msg: 'too many' };
  responding(JSON.stringify(body), { status: 429, headers: { 'retry-after': '' } });
  const refused = await command('/session', { method: 'DELETE' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({ code: 'too_many_requests', status: 429, retryAfterMs: undefined });
});

it('rejects a response of another shape, and one that breaks off', async () => {
  const shape = z.object({ account: z.string() });
  responding('{"account":1}', { status: 200 });
  await expect(request('/session', shape)).rejects.toThrow('account');
  responding('{"account":"a', { status: 200 });
  await expect(request('/session', shape)).rejects.toThrow('/session');
});
