import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { fixtures, recordedData } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { sharedInfoRig } from './test-support/info-rig.ts';

/** Recorded responses of the exchange. If they are missing, fixtures of the same shapes in `packages/protocol` are used. */
const recordings = recordedData('info');

interface Recorded {
  readonly name: string;
  readonly request: { readonly type: string };
  /** The response of the exchange, as text. */
  readonly text: string;
}

const SAMPLE = { user: `0x${'5e'.repeat(20)}`, coin: 'BTC', startTime: 1_681_923_833_000, oid: 412_036_451_270 };

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

function recorded(folder: string): Recorded[] {
  return readdirSync(folder).map((name) => {
    const { request, response } = readJson(join(folder, name));
    return { name, request: request as Recorded['request'], text: JSON.stringify(response) };
  });
}

/** Returns the fixtures, which are named `upstream-<kind>` or `upstream-<kind>-<variant>`. */
function made(): Recorded[] {
  return fixtures('valid').flatMap(({ name, value }) => {
    const type = /^upstream-([A-Za-z\d]+)/.exec(name)?.[1] ?? '';
    if (!(type in INFO_KINDS)) return [];
    return [{ name, request: { type, ...SAMPLE }, text: JSON.stringify(value) }];
  });
}

const responses = recordings === undefined ? made() : recorded(recordings);

const rig = sharedInfoRig();

type Json = Record<string, unknown>;

/** Adds what the specification requires and the recording lacks, and changes nothing else. */
function completed(type: string, value: unknown): unknown {
  if (type === 'openOrders')
    return (value as Json[]).map((order) => ({
      ...order,
      origSz: order.origSz ?? order.sz,
      cloid: order.cloid ?? null,
    }));
  if (type === 'historicalOrders')
    return (value as Json[]).map((entry) => ({ ...entry, order: withCloid(entry.order as Json) }));
  return type === 'fundingHistory' ? (value as Json[]).slice(0, 500) : value;
}

function withCloid(order: Json): Json {
  return { ...order, children: (order.children as Json[]).map(withCloid), cloid: order.cloid ?? null };
}

describe('recorded responses of the exchange, or fixtures if there are none', () => {
  it('exist', () => {
    expect(responses.length).toBeGreaterThan(10);
  });

  it.each(responses)('[INFO-3, INFO-24, DEC-3] gain only missing fields: $name', async ({ request, text }) => {
    rig.respond(request.type, { status: 200, text });
    const dex = 'dex' in request ? `${request.type} ${String(request.dex)}` : request.type;
    rig.respond(dex, { status: 200, text });
    const response = await rig.ask(request);
    expect(response.status).toBe(200);
    const changed = JSON.stringify(completed(request.type, JSON.parse(text)));
    expect(response.json()).toEqual(JSON.parse(changed));
    expect(response.text === text).toBe(changed === text);
    const kind = INFO_KINDS[request.type as InfoKind];
    expect(kind.response.safeParse(response.json()).error).toBeUndefined();
  });
});
