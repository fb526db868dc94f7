import { AsyncLocalStorage } from 'node:async_hooks';
import type { L4Feed, Log } from '@l4desk/feed';
import type { Meter, Reservation } from '@l4desk/ledger';
import type { ApiError } from '@l4desk/protocol';
import { type Attributes, type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { InfoCalls, InfoClient } from '../exchange/info-client.ts';
import type { CallOutcome, Traces } from './traces.ts';

export interface TracingOptions {
  /** The collector's base URL. Traces are sent to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly log: Log;
  /** Ms since the Unix epoch. */
  readonly now?: () => number;
}

/** An unreachable collector is logged at most this often. */
const NOTE_MS = 60_000;

/** The active span. */
interface Current {
  readonly context: Context;
  /** Ms since the Unix epoch, with fractions. A call and its steps share one clock, so no step seems to outlast its call. */
  readonly time: () => number;
}

/** Starts tracing. Spans are sent in batches, outside of calls. Spans that do not fit into the queue are dropped. */
export function openTraces({ endpoint, log, now = Date.now }: TracingOptions): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'l4desk' }),
    spanProcessors: [new BatchSpanProcessor(reporting(exporter, log, now))],
  });
  const tracer = provider.getTracer('l4desk');
  const active = new AsyncLocalStorage<Current>();

  const startClock = () => {
    const behind = now() - performance.now();
    return () => behind + performance.now();
  };

  /** Runs a step in a child span of the active one. A rejection marks the span and is passed on to the caller. */
  async function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, run: () => Promise<T>): Promise<T> {
    const { context, time } = active.getStore() ?? { context: ROOT_CONTEXT, time: startClock() };
    const span = tracer.startSpan(name, { kind, attributes, startTime: time() }, context);
    try {
      return await active.run({ context: trace.setSpan(context, span), time }, run);
    } catch (error) {
      span.setAttribute('error.type', errorType(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end(time());
    }
  }

  const tracedCalls = <T>(calls: InfoCalls<T>): InfoCalls<T> => {
    const together: InfoCalls<T>['together'] = (options) => {
      const ask = calls.together(options);
      return (request) =>
        inSpan(`upstream ${request.type}`, SpanKind.CLIENT, { 'l4desk.kind': request.type }, () => ask(request));
    };
    return { together, ask: (request, options) => together(options)(request) };
  };

  const tracedReservation = (reservation: Reservation, attributes: Attributes): Reservation => ({
    charge: () => inSpan('charge', SpanKind.INTERNAL, attributes, () => reservation.charge()),
    release: () => reservation.release(),
  });

  return {
    call: (run, outcome) => {
      const time = startClock();
      const span = tracer.startSpan('POST /info', { kind: SpanKind.SERVER, startTime: time() });
      return active.run({ context: trace.setSpan(ROOT_CONTEXT, span), time }, run).finally(() => {
        const { kind, account, status, error } = outcome();
        span.updateName(kind === undefined ? 'POST /info' : `POST /info ${kind}`);
        span.setAttributes(outcomeAttributes({ kind, account, status, error }));
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(time());
      });
    },

    info: (client): InfoClient =>
      withMethods(client, { ...tracedCalls(client), reading: (read) => tracedCalls(client.reading(read)) }),

    meter: (meter): Meter =>
      withMethods(meter, {
        reserve(payer, operation, credits) {
          const attributes = { 'l4desk.kind': operation, 'l4desk.credits': credits };
          const traced = (held: Reservation | ApiError) =>
            'charge' in held ? tracedReservation(held, attributes) : held;
          const held = meter.reserve(payer, operation, credits);
          return held instanceof Promise ? held.then(traced) : traced(held);
        },
      }),

    feed: (feed): L4Feed =>
      withMethods(feed, {
        snapshot: (coin, encoding, signal) =>
          inSpan('snapshot', SpanKind.INTERNAL, { 'l4desk.coin': coin, 'l4desk.encoding': encoding }, () =>
            feed.snapshot(coin, encoding, signal),
          ),
        onBlock: (listener) =>
          feed.onBlock((block) => {
            const handedOnAt = now();
            listener(block);
            const span = tracer.startSpan(
              'block',
              {
                kind: SpanKind.CONSUMER,
                root: true,
                startTime: Math.min(block.receivedAt, handedOnAt),
                attributes: {
                  'l4desk.height': block.height,
                  'l4desk.block_time': block.time,
                  'l4desk.coins': block.entries.map(({ coin }) => coin),
                },
              },
              ROOT_CONTEXT,
            );
            span.addEvent('fan-out', handedOnAt);
            span.end(now());
          }),
      }),

    async close(graceMs) {
      let timer: NodeJS.Timeout | undefined;
      const graceOver = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      // Spans that could not be sent have already been logged.
      await Promise.race([provider.shutdown().catch(() => {}), graceOver]);
      clearTimeout(timer);
    },
  };
}

/** Returns a proxy of the part with some methods replaced. All other properties are the part's own. */
function withMethods<Part extends object>(part: Part, methods: Partial<Part>): Part {
  return new Proxy(part, {
    get(_, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown;
      const own: unknown = Reflect.get(part, name);
      return typeof own === 'function' ? (own.bind(part) as unknown) : own;
    },
  });
}

function outcomeAttributes({ kind, account, status, error }: CallOutcome): Attributes {
  return {
    'http.request.method': 'POST',
    'url.path': '/info',
    'http.response.status_code': status,
    ...(kind !== undefined && { 'l4desk.kind': kind }),
    ...(account !== undefined && { 'l4desk.account': account }),
    ...(error !== undefined && { 'error.type': error }),
  };
}

/** The error's code, or else its class name. Messages may contain what a span must not. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Wraps an exporter so that failures are logged, at most once per minute. */
function reporting(exporter: SpanExporter, log: Log, now: () => number): SpanExporter {
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && now() - notedAt > NOTE_MS) {
          notedAt = now();
          log.warn({ spans: spans.length, error: result.error.message }, 'traces could not be sent');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
