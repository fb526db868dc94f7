import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { L4Feed, PublishedBlock } from '@l4desk/feed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from '../info/test-support/info-rig.ts';
import { openTraces } from './open-telemetry.ts';
import type { Traces } from './traces.ts';

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector that accepts OTLP over HTTP as JSON. */
class Collector {
  readonly paths: string[] = [];
  readonly spans: Span[] = [];
  readonly bodies: string[] = [];
  /** Status of its responses. */
  status = 200;
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      this.paths.push(request.url ?? '');
      this.bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const { spans } of scopeSpans) this.spans.push(...spans);
      response.statusCode = this.status;
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  named(name: string): Span {
    const span = this.spans.find((each) => each.name === name);
    if (span === undefined) throw new Error(`no span ${name} among ${this.spans.map((each) => each.name).join(', ')}`);
    return span;
  }
}

function valueOf({ attributes }: Span, key: string): unknown {
  return Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0];
}

const logged: string[] = [];
/** By how much the wall clock goes back at each reading. */
let slipMs = 0;
const note = (_fields: object, message: string) => void logged.push(message);
const log = { debug: note, info: note, warn: note, error: note };

describe('traces', () => {
  let collector: Collector;
  let traces: Traces;
  let rig: InfoRig;

  beforeEach(async () => {
    logged.length = 0;
    slipMs = 0;
    let readings = 0;
    collector = new Collector();
    traces = openTraces({
      endpoint: `${await collector.listen()}/`,
      log,
      now: () => Date.now() - slipMs * readings++,
    });
    rig = await startInfoRig({ traces });
  });

  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    await traces.close(60_000);
    collector.close();
  });

  it('[OPS-20] have one span per call, with upstream calls and the charge as children, even if the wall clock changes', async () => {
    slipMs = 1_000;
    rig.respond('openOrders', { json: [] });
    expect((await rig.ask({ type: 'openOrders', user: walletOf(1) })).status).toBe(200);
    await rig.service.service.close(60_000);
    await traces.close(60_000);

    const call = collector.named('POST /info openOrders');
    expect(call.parentSpanId ?? '').toBe('');
    expect(valueOf(call, 'http.response.status_code')).toBe(200);
    expect(valueOf(call, 'l4desk.kind')).toBe('openOrders');
    expect(valueOf(call, 'l4desk.account')).toMatch(/^acc_/);
    for (const name of ['upstream openOrders', 'charge']) {
      const step = collector.named(name);
      expect(step.traceId).toBe(call.traceId);
      expect(step.parentSpanId).toBe(call.spanId);
      expect(BigInt(step.startTimeUnixNano) >= BigInt(call.startTimeUnixNano)).toBe(true);
      expect(BigInt(step.endTimeUnixNano) <= BigInt(call.endTimeUnixNano)).toBe(true);
    }
    expect(valueOf(collector.named('charge'), 'l4desk.credits')).toBe(1);
    expect(new Set(collector.paths)).toEqual(new Set(['/v1/traces']));
  });

  it('[OPS-20] have the error and no charge for a failed call, and never contain a key or a wallet', async () => {
    rig.respond('openOrders', { status: 500, text: 'no' });
    expect((await rig.ask({ type: 'openOrders', user: walletOf(1) })).status).toBe(502);
    await rig.service.service.close(60_000);
    await traces.close(60_000);

    const call = collector.named('POST /info openOrders');
    expect(valueOf(call, 'error.type')).toBe('upstream_error');
    expect(call.status.code).toBe(2);
    expect(collector.named('upstream openOrders').status.code).toBe(2);
    expect(collector.spans.filter(({ name }) => name === 'charge')).toEqual([]);
    const all = collector.bodies.join();
    expect(all).not.toContain(rig.key);
    expect(all).not.toContain(walletOf(1));
  });

  it('[OPS-20] have one span per block, from its arrival to the end of its fan-out', async () => {
    let deliver: (block: PublishedBlock) => void = () => {};
    const feed = {
      onBlock: (listener: (block: PublishedBlock) => void) => {
        deliver = listener;
        return () => {};
      },
    } as unknown as L4Feed;
    const heard: number[] = [];
    traces.feed(feed).onBlock(({ height }) => void heard.push(height));
    const receivedAt = Date.now() - 40;
    deliver({ epoch: 'e', height: 7, time: 1, receivedAt, entries: [] });
    await traces.close(60_000);

    expect(heard).toEqual([7]);
    const block = collector.named('block');
    expect(block.parentSpanId ?? '').toBe('');
    expect(Number(valueOf(block, 'l4desk.height'))).toBe(7);
    expect(BigInt(block.startTimeUnixNano)).toBe(BigInt(receivedAt) * 1_000_000n);
    expect(BigInt(block.endTimeUnixNano) - BigInt(block.startTimeUnixNano)).toBeGreaterThanOrEqual(40_000_000n);
  });

  it('[OPS-20] that the collector rejects are logged, and no call fails', async () => {
    collector.status = 404;
    rig.respond('openOrders', { json: [] });
    expect((await rig.ask({ type: 'openOrders', user: walletOf(1) })).status).toBe(200);
    await rig.service.service.close(60_000);
    await traces.close(60_000);
    expect(logged).toEqual(['traces could not be sent']);
  });
});
