import { Agent } from 'node:http';
import { connect } from 'node:net';
import { until } from '@l4desk/testkit';
import { bearer, http, postJson, startTestService } from '@l4desk/testkit/service';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sharedService } from '../test-support/shared-service.ts';

const snapshot = { type: 'l4BookSnapshot', coin: 'BTC' };

describe('health', () => {
  it('/healthz reports that the process is up', async () => {
    await using rig = await startTestService({ prepare: (exchange) => exchange.responses.clear() });
    const response = await http(`${rig.url}/healthz`, { headers: { host: '10.0.0.7:8080' } });
    expect([response.status, response.json()]).toEqual([200, { status: 'up' }]);
    expect((await http(`${rig.url}/healthz`, { method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  it('/readyz responds with 200 and names every part, even if no coin is joined', async () => {
    await using rig = await startTestService();
    const state = await until('ready', async () => {
      const response = await http(`${rig.url}/readyz`);
      return response.status === 200 && response.json();
    });
    expect(state).toEqual({
      status: 'ready',
      database: { status: 'ok' },
      ledger: { status: 'ok' },
      upstreamInfo: { status: 'ok' },
      upstreamL4: { status: 'ok', state: 'live', ageMs: 5, blocks: { ageMs: 40, usualMs: 70, suspectAfterMs: 1_000 } },
      books: {},
      warnings: [],
    });
    rig.feed.makeLive('BTC');
    expect((await http(`${rig.url}/readyz`)).json()).toMatchObject({
      books: {
        BTC: {
          coin: 'BTC',
          state: 'live',
          since: 1_778_002_753_024,
          reason: null,
          height: 7,
          epoch: expect.stringMatching(/^[\da-f-]{36}$/),
          seq: 3,
        },
      },
    });
  });

  it('reports the upstream as failed if the worker has not reported for long, whatever its last report', async () => {
    await using rig = await startTestService();
    const look = async () => (await http(`${rig.url}/readyz`)).json();
    await until('ready', async () => JSON.stringify(await look()).includes('"ready"'));
    rig.feed.healthAgeMs = 2_000;
    // On a busy machine the database may respond late once.
    await expect.poll(look).toMatchObject({ status: 'ready', upstreamL4: { status: 'ok' } });
    rig.feed.healthAgeMs = 7_000;
    expect(await look()).toMatchObject({
      status: 'not_ready',
      upstreamL4: { status: 'failed', problem: 'the L4 worker has not reported for 7 s' },
    });
  });

  it('names each part that fails, without a host', async () => {
    await using rig = await startTestService({ prepare: (exchange) => exchange.responses.set('meta', 'cut') });
    rig.feed.connected = false;
    await until('the first reading fails', () =>
      rig.logs.some((line) => line.includes('loading the list of coins failed')),
    );
    await rig.store.close();
    const texts: string[] = [];
    const look = async () => {
      const { status, text } = await http(`${rig.url}/readyz`);
      texts.push(text);
      return [status, JSON.parse(text)];
    };
    await expect.poll(look).toEqual([
      503,
      {
        status: 'not_ready',
        database: { status: 'failed', problem: 'the database does not respond' },
        ledger: { status: 'ok' },
        upstreamInfo: { status: 'failed', problem: expect.stringContaining('upstream cannot be reached') },
        upstreamL4: { status: 'failed', problem: 'the connection was lost', state: 'stale', ageMs: null, blocks: null },
        books: {},
        warnings: [],
      },
    ]);
    expect(texts.join()).not.toContain('127.0.0.1');
  });

  it('reports the upstream as stale once the age of its last block is suspect, and stays ready', async () => {
    await using rig = await startTestService({ env: { L4_PINNED_COINS: 'BTC' } });
    rig.feed.makeLive('BTC');
    const look = async () => {
      const response = await http(`${rig.url}/readyz`);
      const [, metric] = /^l4desk_feed_upstream_stale (\d)$/m.exec((await http(`${rig.url}/metrics`)).text) ?? [];
      return { status: response.status, state: response.json(), metric };
    };
    rig.feed.blockAgeMs = 1_000;
    await expect.poll(look).toMatchObject({ status: 200, state: { upstreamL4: { state: 'live' } }, metric: '0' });
    rig.feed.blockAgeMs = 1_001;
    expect(await look()).toMatchObject({
      status: 200,
      state: { status: 'ready', upstreamL4: { status: 'ok', state: 'stale' }, books: { BTC: { state: 'live' } } },
      metric: '1',
    });
    rig.feed.blockAgeMs = 3;
    expect(await look()).toMatchObject({ state: { upstreamL4: { state: 'live' } }, metric: '0' });
    rig.feed.connected = false;
    expect(await look()).toMatchObject({ status: 503, state: { upstreamL4: { state: 'stale' } }, metric: '1' });
  });
});

describe('metrics', () => {
  const rig = sharedService();

  it('are in the Prometheus text format and cover requests, event loop, feed and stream', async () => {
    const { api } = rig.team;
    rig.feed.makeLive('BTC');
    await postJson(`${rig.url}/info`, snapshot, bearer(api));
    await http(`${rig.url}/some/${api}`);
    const response = await http(`${rig.url}/metrics`);
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const line of [
      'l4desk_http_requests_total{route="/info",status="200"} 1',
      'l4desk_http_requests_total{route="other",status="404"} 1',
      'l4desk_http_request_seconds_count{route="/info"} 1',
      'l4desk_feed_upstream_connected 1',
      'l4desk_feed_coins{state="live"} 1',
      'l4desk_feed_coins{state="unavailable"} 0',
      'l4desk_feed_joins{state="waiting"} 3',
      'l4desk_feed_joins{state="outstanding"} 1',
      'l4desk_feed_audit_period_seconds 90',
      'l4desk_feed_events_total{event="blocksPublished"} 11',
      'l4desk_feed_books_lost_total{reason="audit"} 2',
      'l4desk_feed_event_loop_delay_seconds{quantile="0.99"} 0.002',
      'l4desk_stream_connections 0',
      'l4desk_pending_response_bytes 0',
      'l4desk_upstream_response_bytes 0',
      'l4desk_ledger_events_total{event="creditsCharged"} 1',
    ])
      expect(response.text.split('\n')).toContain(line);
    expect(response.text).toContain('l4desk_event_loop_delay_seconds{quantile="0.99"}');
    expect(response.text).toContain('process_resident_memory_bytes');
    const again = (await http(`${rig.url}/metrics`)).text.split('\n');
    expect(again).toContain('l4desk_feed_events_total{event="blocksPublished"} 11');
  });

  it('leave out what is not known now', async () => {
    const names = async () => (await http(`${rig.url}/metrics`)).text.match(/^l4desk_\w+/gm);
    expect(await names()).toContain('l4desk_feed_block_age_seconds');
    rig.feed.connected = false;
    expect(await names()).not.toContain('l4desk_feed_block_age_seconds');
    expect(await names()).not.toContain('l4desk_cluster_leads');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['under another name', { host: 'evil.example' }],
    ['through a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['through a proxy that sends Forwarded', { forwarded: 'for=192.0.2.1' }],
  ])('without a key are served only to local requests, not %s', async (_, headers) => {
    const response = await http(`${rig.url}/metrics`, { headers });
    expect([response.status, response.json()]).toMatchObject([403, { error: 'forbidden_origin' }]);
  });

  it('with METRICS_KEY set are served to callers that have the key', async () => {
    const key = 'a-long-enough-metrics-key';
    await using rig = await startTestService({ env: { METRICS_KEY: key } });
    const far = { host: 'desk.internal', 'x-forwarded-for': '192.0.2.1' };
    expect((await http(`${rig.url}/metrics`, { headers: { ...far, ...bearer(key) } })).status).toBe(200);
    for (const headers of [{}, far, bearer('another-long-metrics-key')]) {
      const response = await http(`${rig.url}/metrics`, { headers });
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
  });
});

describe('shutdown', () => {
  it('finishes calls, refuses new ones and closes streams with 1001', async () => {
    await using rig = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '20000' } });
    const { api } = await rig.account('team');
    await until('the coins are known', () => rig.logs.some((line) => line.includes('list of coins loaded')));
    const stream = new WebSocket(`${rig.url.replace('http', 'ws')}/ws?key=${api}`);
    const closed = new Promise<number>((resolve) => stream.once('close', resolve));
    await new Promise((resolve) => stream.once('open', resolve));

    const agent = new Agent({ keepAlive: true });
    const headers = { 'content-type': 'application/json', ...bearer(api) };
    const call = http(`${rig.url}/info`, { method: 'POST', headers, body: JSON.stringify(snapshot), agent });
    await until('the call waits', () => rig.feed.waiting === 1);
    const late = connect(rig.port, '127.0.0.1');
    let received = '';
    late.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    // The service has received half a request when it begins to shut down: it has responded to a later one.
    await new Promise((resolve) => late.write('GET /session HTTP/1.1\r\nHost: ', resolve));
    await http(`${rig.url}/healthz`);

    const ending = rig.service.close(20_000);
    expect(await closed).toBe(1001);
    await until('nothing is accepted', async () =>
      http(`${rig.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    late.write('x\r\n\r\n');
    await until('the late call is refused', () => received.includes('shutting_down') && received.includes('503'));
    rig.feed.makeLive('BTC');
    const { status, headers: sent } = await call;
    expect([status, sent.connection]).toEqual([200, 'close']);
    await ending;
    agent.destroy();
  });

  it('aborts calls that are not finished after the grace period', async () => {
    await using rig = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '60000' } });
    const { api } = await rig.account('team');
    const call = postJson(`${rig.url}/info`, snapshot, bearer(api)).then(
      () => 'responded',
      () => 'cut',
    );
    await until('the call waits', () => rig.feed.waiting === 1);
    await rig.service.close(10);
    expect(await call).toBe('cut');
  });
});
