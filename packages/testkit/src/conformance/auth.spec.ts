import { beforeAll, describe, expect, it } from 'vitest';
import { UpgradeRefused } from '../spec-client/raw-socket.ts';
import { StreamProbe } from '../stream-probe.ts';
import { askInfo, type ConformanceTarget } from './target.ts';

let target: ConformanceTarget;

const JSON_TYPE = { 'Content-Type': 'application/json' };

function snapshot() {
  return { type: 'l4BookSnapshot', coin: target.coins[0] };
}

/** Declares the tests. Call it inside a describe block; `opened` returns the target once it is open. */
export function authSuite(opened: () => ConformanceTarget): void {
  beforeAll(() => {
    target = opened();
  });

  describe('credentials of /info', () => {
    it('[AUTH-1] accepts an API key as Bearer token', async () => {
      expect((await askInfo(target, snapshot())).status).toBe(200);
    });

    it.each([
      ['none', {}],
      ['an unknown key', { Authorization: 'Bearer l4k_nobody' }],
      ['an empty Bearer', { Authorization: 'Bearer ' }],
      ['another scheme', { Authorization: 'Basic dTpw' }],
      ['no scheme', { Authorization: 'l4k_nobody' }],
    ])('[AUTH-4, INFO-4] rejects %s with 401 and WWW-Authenticate', async (_, credential) => {
      const { status, headers, json } = await askInfo(target, snapshot(), { headers: { ...JSON_TYPE, ...credential } });
      expect({ status, json }).toMatchObject({ status: 401, json: { error: 'unauthorized', code: 401 } });
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    it('[AUTH-5] rejects a ServiceKey with 403, and the message says which credential is needed', async () => {
      const { status, json } = await askInfo({ ...target, apiKey: target.serviceKey }, snapshot());
      expect({ status, json }).toMatchObject({ status: 403, json: { error: 'wrong_credential' } });
      expect((json as { message: string }).message).toMatch(/API key/i);
    });

    it('[INFO-7] leaves the key out of refusals', async () => {
      const { text } = await askInfo({ ...target, apiKey: 'l4k_visible_nowhere' }, snapshot());
      expect(text).not.toContain('visible_nowhere');
    });
  });

  describe('credentials of /ws', () => {
    async function refusal(query: string, headers: Readonly<Record<string, string>> = {}): Promise<UpgradeRefused> {
      const outcome = await StreamProbe.open(`${target.streamUrl}${query}`, headers).then(
        (probe) => probe[Symbol.asyncDispose](),
        (error: unknown) => error,
      );
      if (outcome instanceof UpgradeRefused) return outcome;
      throw new Error('the upgrade was not refused', { cause: outcome });
    }

    it('[AUTH-2] accepts an API key as query parameter', async () => {
      await using probe = await StreamProbe.open(`${target.streamUrl}?key=${target.apiKey}`);
      expect((await probe.ask({ method: 'ping' })).channel).toBe('pong');
    });

    it.each([
      ['no key', ''],
      ['an empty key', '?key='],
      ['an unknown key', '?key=l4k_nobody'],
    ])('[AUTH-4] rejects %s with 401', async (_, query) => {
      expect(await refusal(query)).toMatchObject({ status: 401 });
    });

    it('[AUTH-2, AUTH-4] rejects a key that is only in an Authorization header with 401, because the stream ignores it', async () => {
      expect(await refusal('', { Authorization: `Bearer ${target.apiKey}` })).toMatchObject({ status: 401 });
    });

    it('[AUTH-5] rejects a ServiceKey with 403', async () => {
      expect(await refusal(`?key=${target.serviceKey}`)).toMatchObject({ status: 403 });
    });
  });

  describe('the order of checks', () => {
    it('[INFO-8, INFO-14] checks the method before the credential', async () => {
      const response = await fetch(target.infoUrl);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toMatch(/POST/);
    });

    it('[INFO-8, INFO-28] checks the path before the credential', async () => {
      const { status, json } = await askInfo({ ...target, infoUrl: `${target.url}/nowhere`, apiKey: 'nobody' }, {});
      expect({ status, json }).toMatchObject({ status: 404, json: { error: 'not_found' } });
    });

    it('[INFO-8] checks the credential before the body', async () => {
      const { status } = await askInfo({ ...target, apiKey: 'nobody' }, 'no JSON');
      expect(status).toBe(401);
    });

    it('[INFO-8, INFO-12, INFO-13] checks size and type of the body before its content', async () => {
      const large = await askInfo(target, `{"type":"nope","x":"${'x'.repeat(65_536)}"}`);
      expect({ status: large.status, json: large.json }).toMatchObject({
        status: 413,
        json: { error: 'body_too_large' },
      });
      const headers = { Authorization: `Bearer ${target.apiKey}`, 'Content-Type': 'text/plain' };
      const typed = await askInfo(target, 'no JSON', { headers });
      expect({ status: typed.status, json: typed.json }).toMatchObject({ status: 415 });
    });
  });
}
