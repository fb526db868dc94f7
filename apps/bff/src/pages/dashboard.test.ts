import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { temporaryDirectory } from '@l4desk/testkit';
import { http, startTestService, type TestService } from '@l4desk/testkit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDashboard } from './dashboard.ts';

const INDEX = '<!doctype html><title>L4 Desk</title><script type="module" src="/assets/app-1f2e.js"></script>';
const SCRIPT = 'export const loaded = true;';

const LARGE = '.row { color: teal }\n'.repeat(500);

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let build: Awaited<ReturnType<typeof temporaryDirectory>>;
let rig: TestService;

beforeAll(async () => {
  build = await temporaryDirectory();
  const files: Readonly<Record<string, string | Buffer>> = {
    'index.html': INDEX,
    'theme.js': 'document.documentElement.dataset.theme = "dark";',
    'assets/app-1f2e.js': SCRIPT,
    'assets/app-1f2e.js.br': brotliCompressSync(SCRIPT),
    'assets/large-77.css': LARGE,
    'assets/inter-9c.woff2': Buffer.from([1, 2, 3]),
    '.stamp': 'not for the public',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(build.path, name)), { recursive: true });
    writeFileSync(join(build.path, name), content);
  }
  const dashboard = await loadDashboard(build.path);
  if (dashboard === undefined) throw new Error('the build was not found');
  rig = await startTestService({ dashboard });
});

afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await build[Symbol.asyncDispose]();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => http(rig.url + path, { headers });

describe('files', () => {
  it('lets clients cache hashed files forever and revalidate others', async () => {
    const script = await get('/assets/app-1f2e.js');
    expect([script.status, script.text]).toEqual([200, SCRIPT]);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const theme = await get('/theme.js');
    expect(theme.headers['cache-control']).toBe('no-cache');
    const again = await get('/theme.js', { 'if-none-match': theme.headers.etag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    const oneOfTwo = await get('/theme.js', { 'if-none-match': `"other", ${theme.headers.etag}` });
    expect(oneOfTwo.status).toBe(304);
    expect((await get('/assets/inter-9c.woff2')).bytes).toEqual(Buffer.from([1, 2, 3]));
  });

  it('sends the compressed form to clients that accept it', async () => {
    const response = await get('/assets/app-1f2e.js', { 'accept-encoding': 'gzip, br' });
    expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(response.bytes).toString()).toBe(SCRIPT);
    const small = await get('/assets/app-1f2e.js', { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
    const refused = await get('/assets/app-1f2e.js', { 'accept-encoding': 'br;q=0, gzip' });
    expect([refused.headers['content-encoding'], refused.text]).toEqual([undefined, SCRIPT]);
  });

  it('sends files that the build did not compress uncompressed', async () => {
    const response = await get('/assets/large-77.css', { 'accept-encoding': 'gzip, br' });
    expect([response.headers['content-encoding'], response.text]).toEqual([undefined, LARGE]);
  });

  it('responds to HEAD without a body', async () => {
    const response = await http(`${rig.url}/theme.js`, { method: 'HEAD' });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(Number(response.headers['content-length'])).toBeGreaterThan(0);
  });

  it.each([
    '/assets/none.js',
    '/.stamp',
    '/assets/app-1f2e.js.br',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/etc/passwd',
    '/index.html/x',
    '/index.html',
    '//',
    '/%',
    '/__proto__',
  ])('[INFO-28] responds to %s with 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.json()).toMatchObject({ error: 'not_found', code: 404 });
  });
});

describe('pages', () => {
  it.each(['/', '/sign-in', '/book/BTC', '/book/xyz%3AGOLD', '/balances', '/order/12'])(
    'sends the page for %s',
    async (path) => {
      for (const headers of [html, {}]) {
        const response = await get(path, headers);
        expect([response.status, response.text]).toEqual([200, INDEX]);
        expect(response.headers['cache-control']).toBe('no-cache');
      }
    },
  );

  it.each(['/bok', '/radar', '/settings'])(
    '[INFO-28] sends the page with 404 for %s to a browser that navigates',
    async (path) => {
      const response = await get(path, html);
      expect([response.status, response.text]).toEqual([404, INDEX]);
    },
  );

  it.each([
    '/info/x',
    '/ws/',
    '/platform/usage',
    '/session/x',
    '/docs/x',
    '/openapi.json/',
    '/assets/gone.js',
    '/metrics/x',
  ])('[INFO-28] never sends the page for %s, which belongs to the service', async (path) => {
    const response = await get(path, html);
    expect([response.status, response.json()]).toMatchObject([404, { error: 'not_found' }]);
  });

  it('refuses methods other than GET and HEAD', async () => {
    const response = await http(`${rig.url}/book/BTC`, { method: 'POST' });
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('[AUTH-20] refuses another host name', async () => {
    const response = await get('/', { ...html, host: 'evil.example' });
    expect([response.status, response.json()]).toMatchObject([403, { error: 'forbidden_origin' }]);
  });

  it('sends a strict content security policy', async () => {
    const { headers } = await get('/', html);
    const policy = String(headers['content-security-policy']);
    expect(
      policy
        .split(';')
        .map((part) => part.trim())
        .sort(),
    ).toEqual([
      "base-uri 'none'",
      `connect-src 'self' ws://127.0.0.1:${rig.port}`,
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('sends HSTS and a wss policy with an https PUBLIC_URL', async () => {
    await using secure = await startTestService({ env: { PUBLIC_URL: 'https://desk.example.com' } });
    const { headers } = await http(`${secure.url}/`, { headers: { ...html, host: 'desk.example.com' } });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['content-security-policy']).toContain("connect-src 'self' wss://desk.example.com");
  });
});

it('without a build says how to build the dashboard, as a page and as JSON', async () => {
  expect(await loadDashboard(join(build.path, 'nowhere'))).toBeUndefined();
  await using bare = await startTestService();
  const page = await http(`${bare.url}/book/BTC`, { headers: html });
  expect(page.status).toBe(503);
  expect(page.text).toContain('npm run build');
  const json = await http(`${bare.url}/`);
  expect([json.status, json.json()]).toMatchObject([503, { error: 'dashboard_not_built', code: 503 }]);
  expect((await http(`${bare.url}/healthz`)).status).toBe(200);
});
