import { type AccountDocument, documentReplaced, keptDocument, type Wallet } from '@l4desk/protocol';
import { http, postJson } from '@l4desk/testkit/service';
import { expect, it } from 'vitest';
import { cookieOf, sharedService } from '../test-support/shared-service.ts';

const rig = sharedService();

const WALLET: Wallet = {
  address: `0x${'5e'.repeat(20)}`,
  label: 'maker',
  group: 'desk',
  colour: 'blue',
  tags: ['fast'],
};
const WORKSPACE = { name: 'Scalp', coin: 'BTC', search: { tick: '5' }, radarCoins: ['ETH'], windows: [] };

const DOCUMENT: AccountDocument = {
  wallets: [WALLET],
  hasExamples: false,
  keyLabels: [{ shown: 'l4k_…x1Y2', label: 'bots' }],
  workspaces: [WORKSPACE],
  startWorkspace: 'Scalp',
};

const labelled = (label: string): AccountDocument => ({ ...DOCUMENT, keyLabels: [{ shown: 'l4k_…x1Y2', label }] });

/** One signed-in browser of an account. */
async function browser(key: string) {
  const response = await postJson(`${rig.url}/session`, { apiKey: key }, { origin: rig.url });
  const cookie = cookieOf(response);
  const put = (body: unknown, headers: Readonly<Record<string, string>> = { origin: rig.url }) =>
    http(`${rig.url}/session/document`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    put,
    read: async () => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      return keptDocument.parse((await http(`${rig.url}/session/document`, { headers })).json());
    },
    replace: async (account: string, version: number, document: AccountDocument) =>
      documentReplaced.parse((await put({ account, version, document })).json()),
  };
}

it('an account keeps what one browser wrote for the next one, and nothing for another account', async () => {
  const [team, other] = [rig.team, await rig.account('other')];
  const [first, second] = [await browser(team.api), await browser(team.api)];
  expect(await first.read()).toEqual({ account: team.id, version: 0, document: null });
  expect(await first.replace(team.id, 0, DOCUMENT)).toEqual({ kind: 'replaced', version: 1 });
  expect(await second.read()).toEqual({ account: team.id, version: 1, document: DOCUMENT });
  expect(await (await browser(other.api)).read()).toEqual({ account: other.id, version: 0, document: null });
  // Free of charge.
  expect((await rig.store.usageSums(team.id, { from: '2000-01-01', to: '2099-12-31' })).credentials).toEqual([]);
});

it('of two browsers that replace the same version, the second gets what the first one wrote', async () => {
  const { id, api } = await rig.account('racing');
  const [first, second] = [await browser(api), await browser(api)];
  for (const version of [0, 1]) {
    const outcomes = await Promise.all([
      first.replace(id, version, labelled(`first ${version}`)),
      second.replace(id, version, labelled(`second ${version}`)),
    ]);
    const winner = outcomes.findIndex(({ kind }) => kind === 'replaced');
    const document = labelled(`${winner === 0 ? 'first' : 'second'} ${version}`);
    expect(outcomes[1 - winner]).toEqual({ kind: 'conflict', kept: { account: id, version: version + 1, document } });
  }
});

it('a page that still shows another account replaces nothing', async () => {
  const [shown, signedIn] = [await rig.account('shown'), await rig.account('signed in')];
  const { read, replace } = await browser(signedIn.api);
  expect(await replace(shown.id, 0, DOCUMENT)).toMatchObject({ kind: 'conflict', kept: { account: signedIn.id } });
  expect(await read()).toMatchObject({ version: 0 });
});

it('[AUTH-17] only a signed-in page of the service reads or replaces it', async () => {
  const { id, api } = await rig.account('guarded');
  const { put } = await browser(api);
  const body = { account: id, version: 0, document: DOCUMENT };
  for (const headers of [{ origin: 'https://evil.example' }, {}]) expect((await put(body, headers)).status).toBe(403);
  expect((await put(body, { origin: rig.url, cookie: '' })).status).toBe(401);
  expect((await http(`${rig.url}/session/document`)).status).toBe(401);
  expect((await http(`${rig.url}/session/document`, { method: 'DELETE' })).headers.allow).toBe('GET, HEAD, PUT');
});

it.each<[string, object, number, string]>([
  ['a whole key', { keyLabels: [{ shown: 'l4k_0123456789abcdefghij', label: 'bots' }] }, 400, 'invalid_request'],
  ['an address that is none', { wallets: [{ address: '0x5e' }] }, 400, 'invalid_request'],
  ['a label that is too long', { wallets: [{ ...WALLET, label: 'x'.repeat(81) }] }, 400, 'invalid_request'],
  ['a colour that is none', { wallets: [{ ...WALLET, colour: 'pink' }] }, 400, 'invalid_request'],
  ['a window of another page', { workspaces: [{ ...WORKSPACE, windows: [{ href: '/' }] }] }, 400, 'invalid_request'],
  ['an odd list of coins', { workspaces: [{ ...WORKSPACE, radarCoins: [''] }] }, 400, 'invalid_request'],
  [
    'text where a setting should be named',
    { workspaces: [{ ...WORKSPACE, search: { l4k_0123456789abcdefghij: 5 } }] },
    400,
    'invalid_request',
  ],
  ['no list of wallets', { wallets: undefined }, 400, 'invalid_request'],
  ['256 KiB', { startWorkspace: 'x'.repeat(262_144) }, 413, 'body_too_large'],
])('a document with %s is refused, and nothing of it is logged', async (what, change, status, code) => {
  const { id, api } = await rig.account(`refused: ${what}`);
  const { put, read } = await browser(api);
  const response = await put({ account: id, version: 0, document: { ...DOCUMENT, ...change } });
  expect([response.status, response.json()]).toEqual([status, expect.objectContaining({ error: code })]);
  expect(response.text).not.toContain('0123456789abcdefghij');
  expect(await read()).toMatchObject({ version: 0 });
  expect(rig.logs.join('')).not.toContain('0123456789abcdefghij');
});

it('a document that its missing fields make larger than 256 KiB is refused, because no page could write it back', async () => {
  const { id, api } = await rig.account('filled in');
  const { put, read } = await browser(api);
  const wallets = Array.from({ length: 4_000 }, (_, at) => ({ address: `0x${String(at).padStart(40, '0')}` }));
  const response = await put({ account: id, version: 0, document: { ...DOCUMENT, wallets } });
  expect([response.status, response.json()]).toMatchObject([413, { error: 'body_too_large' }]);
  expect(await read()).toMatchObject({ version: 0 });
});

it('a kept document that can no longer be read is replaced like any other', async () => {
  const { id, api } = await rig.account('odd');
  const { read, replace } = await browser(api);
  await rig.store.replaceDocument(id, { version: 0, text: '{"wallets":[1]}' });
  expect(await read()).toEqual({ account: id, version: 1, document: null });
  expect(await replace(id, 0, DOCUMENT)).toMatchObject({ kind: 'conflict', kept: { version: 1, document: null } });
  expect(await replace(id, 1, DOCUMENT)).toEqual({ kind: 'replaced', version: 2 });
  expect(await read()).toEqual({ account: id, version: 2, document: DOCUMENT });
});

it('a document of almost 256 KiB is kept, and changes are limited per minute', async () => {
  const { id, api } = await rig.account('large');
  const { put, read, replace } = await browser(api);
  const wallets = Array.from({ length: 1_500 }, (_, at) => ({
    ...DOCUMENT.wallets[0],
    address: `0x${String(at).padStart(40, '0')}` as const,
    label: 'x'.repeat(60),
    group: '',
    colour: 'grey' as const,
    tags: [],
  }));
  expect(await replace(id, 0, { ...DOCUMENT, wallets })).toEqual({ kind: 'replaced', version: 1 });
  expect((await read()).document?.wallets).toHaveLength(1_500);
  // Counted before a body is read.
  const attempts = Array.from({ length: 600 }, () => put({}, { origin: rig.url, 'content-type': 'text/plain' }));
  await Promise.all(attempts);
  const refused = await put({ account: id, version: 1, document: DOCUMENT });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
});
