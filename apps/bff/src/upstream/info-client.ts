import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Logger } from '../log.ts';
import { UpstreamAnswer } from './answer.ts';
import { type Flight, Flights } from './flights.ts';
import { type HttpAnswer, HttpFailure, httpPost } from './http-post.ts';
import { UpstreamError } from './upstream-error.ts';
import { NoRoom, WeightLimiter } from './weight-limiter.ts';
import { extraWeightOf, weightOf } from './weights.ts';

/** A query as it goes upstream. */
export interface UpstreamRequest {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What one caller wants of a call. */
interface AskOptions {
  /** In place of the client's own deadline; from the call to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Ends this caller's part in the call; whoever shares it goes on. */
  readonly signal?: AbortSignal;
}

/** What is at the other end: the exchange's info API, or a service like this one, which answers batches itself. */
type InfoDialect = 'exchange' | 'service';

/** The info endpoint of the upstream. */
export interface InfoClient extends AsyncDisposable {
  readonly dialect: InfoDialect;
  /** How long a call may take unless it says otherwise. */
  readonly timeoutMs: number;
  /**
   * The 2xx answer to one query, unread. Identical queries under way share one call. Rejects with UpstreamError, or with
   * the signal's reason when it aborts.
   */
  ask(request: UpstreamRequest, options?: AskOptions): Promise<UpstreamAnswer>;
  /** Makes calls side by side: one deadline for all of them, which begins now, and one signal. */
  together(options?: AskOptions): (request: UpstreamRequest) => Promise<UpstreamAnswer>;
}

export interface InfoClientOptions {
  /** The whole address, path included. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Most connections at a time; calls past that wait for one. */
  readonly connectionsMax: number;
  readonly dialect: InfoDialect;
  /** Sent as a Bearer key. */
  readonly apiKey?: string | undefined;
  /** Most weight in any 60 s, where the upstream counts it. */
  readonly weightPerMinute?: number | undefined;
  readonly log: Logger;
}

/** Most bytes of an answer that is read: a stream without end must not fill the memory. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Connections outlive the pause between two batches; an upstream that says less in `Keep-Alive` is believed. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Longest `Retry-After` that is believed: the window the exchange counts its limit over. Where the limit is counted
 * everybody waits for it, and a proxy that says a day must not stop every query for one.
 */
const RETRY_AFTER_MS_MAX = 60_000;

/** How long a 429 without `Retry-After` is waited out: doubled each time, up to the second figure. */
const BUSY_WAIT_MS = { first: 250, longest: 5_000 } as const;

/** How much of a refusal's body is kept for who reads it. */
const REFUSAL_TEXT_MAX = 4_096;

/** Failures of a connection that say nothing about the call: it may have been closed while it was idle. */
const RESET_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Calls the info endpoint at `url` over a pool of connections. */
export function createInfoClient(options: InfoClientOptions): InfoClient {
  const { dialect, timeoutMs, apiKey, weightPerMinute, log } = options;
  const { origin, pathname, search } = new URL(options.url);
  // Deadlines are the callers' own: undici's are coarse.
  const pool = new Pool(origin, {
    connections: options.connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const path = pathname + search;
  const headers = ['content-type', 'application/json', 'accept', 'application/json'];
  if (apiKey !== undefined) headers.push('authorization', `Bearer ${apiKey}`);
  const flights = new Flights<UpstreamAnswer>();
  const limiter = weightPerMinute === undefined ? undefined : createLimiter(weightPerMinute);

  /** One exchange of messages. A connection that was reset before any byte of an answer is tried once more: queries only read. */
  async function post(body: string, flight: Flight, attempt: 'first' | 'second'): Promise<HttpAnswer> {
    try {
      return await httpPost({ pool, path, headers, body, bytesMax: ANSWER_BYTES_MAX, flight });
    } catch (error) {
      if (!(error instanceof HttpFailure) || flight.isAbandoned) throw error;
      if (error.tooLarge) throw new UpstreamError({ kind: 'unusable', problem: 'an answer that is too large' });
      const code = failureCode(error.cause);
      if (attempt === 'first' && !error.answerBegan && code !== null && RESET_CODES.has(code))
        return post(body, flight, 'second');
      throw new UpstreamError({ kind: 'unreachable', code }, { cause: error });
    }
  }

  /** The whole call. A 429 is waited out for as long as somebody waits for the answer; the deadline ends the loop. */
  async function call(type: string, body: string, flight: Flight): Promise<UpstreamAnswer> {
    for (let refusals = 0; ; refusals += 1) {
      if (limiter !== undefined) await takeWeight(limiter, type, flight);
      // Once the exchange said that it is busy, that is what held the call up, whatever became of the last try.
      if (refusals === 0) flight.setback = undefined;
      const { status, headers: answered, chunks } = await post(body, flight, 'first');
      if (status === 429) {
        const wait = busyWaitMs(answered['retry-after'], refusals);
        limiter?.pause(wait);
        flight.setback = new UpstreamError({ kind: 'busy', retryAfterMs: wait, saidSo: true });
        if (performance.now() + wait >= flight.deadline) throw flight.setback;
        await pause(wait, flight);
        continue;
      }
      if (status < 200 || status > 299) {
        if (dialect === 'service') noteRefusedService(status, log);
        const text = Buffer.concat(chunks).toString('utf8', 0, REFUSAL_TEXT_MAX);
        throw new UpstreamError({ kind: 'status', status, text });
      }
      const answer = new UpstreamAnswer(chunks);
      limiter?.add(extraWeightOf(type, answer));
      return answer;
    }
  }

  const together: InfoClient['together'] = ({ timeoutMs: afterMs = timeoutMs, signal } = {}) => {
    const timeoutError = () => new UpstreamError({ kind: 'timeout', afterMs });
    const join = flights.by({ timeoutMs: afterMs, signal, timeoutError });
    return (request) => {
      const body = JSON.stringify(request);
      return join(body, (flight) => call(request.type, body, flight));
    };
  };

  return {
    dialect,
    timeoutMs,
    together,
    ask: (request, askOptions) => together(askOptions)(request),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Waits for room in the exchange's request limit, where it is counted. */
async function takeWeight(limiter: WeightLimiter, type: string, flight: Flight): Promise<void> {
  const leave = new AbortController();
  const turn = limiter.take(weightOf(type), flight.deadline, leave.signal);
  if (turn === undefined) return;
  flight.onAbandoned = () => leave.abort();
  flight.setback ??= new UpstreamError({ kind: 'busy', retryAfterMs: BUSY_WAIT_MS.longest, saidSo: false });
  try {
    await turn;
  } catch (error) {
    if (error instanceof NoRoom)
      throw new UpstreamError({ kind: 'busy', retryAfterMs: error.retryAfterMs, saidSo: false }, { cause: error });
    throw error;
  }
}

/** Waits, for as long as somebody waits for the answer. */
async function pause(ms: number, flight: Flight): Promise<void> {
  const leave = new AbortController();
  flight.onAbandoned = () => leave.abort();
  await sleep(ms, undefined, { signal: leave.signal });
}

function createLimiter(perMinute: number): WeightLimiter {
  return new WeightLimiter({
    perMinute,
    now: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** How long to wait after the n-th 429 of a call. */
function busyWaitMs(retryAfter: string | undefined, refusals: number): number {
  const asked = Number(retryAfter);
  if (retryAfter !== undefined && Number.isFinite(asked) && asked >= 0)
    return Math.min(Math.max(asked * 1000, 1), RETRY_AFTER_MS_MAX);
  return Math.min(BUSY_WAIT_MS.longest, BUSY_WAIT_MS.first * 2 ** refusals);
}

/** Says in the log what only the operator can mend; callers are told no more than that the upstream failed. */
function noteRefusedService(status: number, log: Logger): void {
  if (status === 401 || status === 403)
    log.error({ status }, 'the upstream service refuses UPSTREAM_API_KEY: give it a good API key');
  else if (status === 402) log.error({ status }, 'the credits of UPSTREAM_API_KEY at the upstream service are used up');
}

/** The system's word for a failed connection, such as ECONNREFUSED; its message would name the host. */
function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? code : null;
}
