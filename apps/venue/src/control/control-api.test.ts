import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';

let venue: Venue;

beforeAll(async () => {
  venue = await startVenue({ coins: ['XRP', 'xyz:GOLD'], size: 0.02, statusRate: 0.2, pace: 0 });
});

afterAll(async () => venue[Symbol.asyncDispose]());

async function ask(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(venue.controlUrl + path, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('controlling the market', () => {
  it('step makes that many blocks and returns the height', async () => {
    const { height } = venue.state();
    expect(await ask('/step', { blocks: 7 })).toEqual({ status: 200, body: { height: height + 7 } });
    expect(venue.state()).toMatchObject({ height: height + 7 });
  });

  it('runs concurrent steps one after the other', async () => {
    const { height } = venue.state();
    const responses = await Promise.all([3, 1, 2].map((blocks) => ask('/step', { blocks })));
    const heights = responses.map(({ body }) => Number(body.height) - height).sort((a, b) => a - b);
    expect(heights.at(-1)).toBe(6);
    expect(new Set(heights).size).toBe(3);
  });

  it('pace starts and stops the market; stepping fails while it runs', async () => {
    const { height } = venue.state();
    expect(await ask('/pace', { factor: 20 })).toEqual({ status: 200, body: { factor: 20 } });
    await expect.poll(() => venue.state().height).toBeGreaterThan(height + 5);
    const refused = await ask('/step', { blocks: 1 });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toContain('the market runs at pace 20');
    await ask('/pace', { factor: 0 });
    const stopped = venue.state().height;
    expect((await ask('/step', { blocks: 1 })).body).toEqual({ height: stopped + 1 });
  });

  it('levels change how much happens in a block', async () => {
    expect((await ask('/levels', { statusRate: 0 })).body).toEqual({ rate: 1, statusRate: 0, size: 0.02 });
    const before = venue.state().counts;
    await ask('/step', { blocks: 50 });
    const after = venue.state().counts;
    expect(after.statuses - before.statuses).toBeLessThan(50 * 30);
    await ask('/levels', { statusRate: 0.2 });
  });
});

describe('bad input', () => {
  it.each([
    ['/step', {}, 400, /blocks: /],
    ['/step', { blocks: 1.5 }, 400, /blocks: /],
    ['/step', { blocks: 1, extra: true }, 400, /extra/],
    ['/step', 'hello', 400, /the body is not JSON/],
    ['/step', 'x'.repeat(70_000), 413, /too large/],
    ['/pace', { factor: -1 }, 400, /factor: /],
    ['/levels', {}, 400, /must contain rate, statusRate or size/],
    ['/levels', { size: 0 }, 400, /size: /],
    ['/fault', { kind: 'explode' }, 400, /^kind: /],
    ['/fault', { kind: 'drop', block: 1 }, 400, /"block"/],
    ['/fault', { kind: 'cut', ms: 5 }, 400, /"ms"/],
    ['/fault', { kind: 'drop', coin: 'NOPE' }, 400, /unknown coin NOPE/],
    ['/nothing', {}, 404, /use \/step/],
  ])('%s %j is refused with %d and a sentence, and changes nothing', async (path, body, status, sentence) => {
    const before = venue.state();
    const response = await ask(path, body);
    expect(response.status).toBe(status);
    expect(response.body.error).toMatch(sentence);
    expect(venue.state()).toEqual(before);
  });

  it.each([
    ['GET', '/step', 405],
    ['POST', '/state', 405],
    ['GET', '/book/NOPE', 404],
    ['GET', '/book/%E0%A4%A', 400],
    ['GET', '//', 404],
    ['GET', '/state?x=1', 200],
  ])('%s %s is %d', async (method, path, status) => {
    const response = await ask(path, method === 'POST' ? {} : undefined, method);
    expect(response.status).toBe(status);
    expect(typeof response.body.error).toBe(status === 200 ? 'undefined' : 'string');
  });

  it('no request body stops the venue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/step', '/pace', '/levels', '/fault'), fc.json(), async (path, body) => {
        const { status } = await ask(path, body, 'POST');
        expect(status).toBe(400);
      }),
    );
  });
});

it('requests of web pages are refused', async () => {
  const response = await fetch(`${venue.controlUrl}/fault`, {
    method: 'POST',
    headers: { Origin: 'https://example.org' },
    body: '{"kind":"drop"}',
  });
  expect(response.status).toBe(403);
  expect(venue.state().faults).toEqual([]);
});

it('the control port is on loopback even if the venue listens on another host', async () => {
  await using open = await startVenue({ coins: ['XRP'], size: 0.02, pace: 0, host: '0.0.0.0' });
  expect(new URL(open.controlUrl).hostname).toBe('127.0.0.1');
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  // Skipped on a machine without an external network address.
  if (outside === undefined) return;
  const socket = connect(Number(new URL(open.controlUrl).port), outside.address);
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
