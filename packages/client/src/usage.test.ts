import { fixture } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, usage } from './index.ts';
import { InfoService, respondJson } from './test-support/info-service.ts';

const reply = fixture('usage') as { readonly data: object };

let service: InfoService;
beforeAll(async () => {
  service = await InfoService.start((_, response) => respondJson(response, reply));
});
afterAll(() => service[Symbol.asyncDispose]());

describe('usage', () => {
  it('sends the ServiceKey, never the API key, and returns the data', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: 'l4k_secret', serviceKey: 'l4s_secret' });
    expect(await usage(client)).toEqual(reply.data);
    expect(service.asked.at(-1)).toEqual({
      path: '/platform/usage/',
      authorization: 'Bearer l4s_secret',
      body: undefined,
    });
    await usage(createClient({ baseUrl: service.url, apiKey: 'l4k_secret' }));
    expect(service.asked.at(-1)?.authorization).toBeUndefined();
  });

  it('sends the requested window', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', platformUrl: `${service.url}/` });
    await usage(client, { duration: 6 });
    expect(service.asked.at(-1)?.path).toBe('/platform/usage/?duration=6');
    await usage(client, { from: '2026-11-01', to: '2026-11-02' });
    expect(service.asked.at(-1)?.path).toBe('/platform/usage/?from=2026-11-01&to=2026-11-02');
  });

  it('rejects a response of another shape', async () => {
    service.respond = (_, response) => respondJson(response, { data: { period: { from: '2026-11-31' } } });
    await expect(usage(createClient({ baseUrl: service.url }))).rejects.toMatchObject({
      path: 'usage.data.period.from',
    });
  });
});
