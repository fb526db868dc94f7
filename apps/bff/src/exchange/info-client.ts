import { setTimeout as sleep } from 'node:timers/promises';
import { INFO_KINDS, type UpstreamCost } from '@l4desk/protocol';
import { type Dispatcher, Pool } from 'undici';
import type { Logger } from '../log/log.ts';
import { Dedupe, type SharedCall } from './dedupe.ts';
import { type CallWeight, FairQueue } from './fair-queue.ts';
import { UpstreamResponse } from './response.ts';
import { type BUSY_TEXTS, UpstreamError } from './upstream-error.ts';

/** A query as it is sent upstream. */
export interface UpstreamRequest {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Options of one caller. */
export interface AskOptions {
  /** The account that the call is for. Default: the service itself. */
  readonly account?: string;
  /** Overrides the client's default timeout. Measured from the call to the last byte of the response. */
  readonly timeoutMs?: number;
  /** How long a sent call may take. A call that is still unsent after `timeoutMs` fails as `busy` (D16). */
  readonly sentTimeoutMs?: number | undefined;
  /** Aborts when the caller has left: an unsent call is dropped, a sent one is finished and used (BILL-23, BILL-24). */
  readonly signal?: AbortSignal;
}

/** The kind of upstream: the exchange's info API, or another instance of this service, which serves batches itself. */
type InfoDialect = 'exchange' | 'service';

export interface InfoClientOptions {
  /** The full URL, including the path. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Maximum number of connections. Further calls wait for one. Default: 512, because a batch requests all its wallets at once. */
  readonly connectionsMax?: number;
  readonly dialect: InfoDialect;
  readonly apiKey?: string | undefined;
  readonly weightPerMinute?: number | undefined;
  /** Maximum number of queued calls per account. Further calls fail at once. Default: 256. */
  readonly waitingMax?: number;
  /** Maximum total bytes of all responses being read. Default: 256 MiB. */
  readonly responsesBytesMax?: number;
  /** Maximum bytes of one response. Default: 8 MiB, whose rows take about 50 ms to parse, in one step. */
  readonly responseBytesMax?: number;
  readonly log: Logger;
  /** Monotonic time in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Keeps connections open between two batches. A shorter time in the upstream's `Keep-Alive` header is respected. */
const KEEP_ALIVE_MS = 30_000;

/** A proxy that sends one day must not stop every query for a day: the exchange counts its limit over a minute. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Wait after a 429 without a usable `Retry-After`: starts at `first` and doubles each time up to `longest`. */
const BUSY_WAIT_MS = { first: 250, longest: 5_000 } as const;

/** Suggested retry delay for a call that could not be sent, or whose response did not fit into the memory limit. */
const NO_ROOM_RETRY_MS = 1_000;

const REFUSAL_TEXT_MAX = 4_096;

/** Connection errors that say nothing about the call: the connection may have been closed while idle. */
const RESET_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Client of the upstream's info endpoint. */
export type InfoClient = ReturnType<typeof createInfoClient>;

/** Calls the info endpoint at `url` over a pool of connections. */
export function createInfoClient(options: InfoClientOptions) {
  const { dialect, timeoutMs, apiKey, weightPerMinute, connectionsMax = 512, waitingMax = 256, log } = options;
  const {
    responsesBytesMax = 256 * 1024 * 1024,
    responseBytesMax = 8 * 1024 * 1024,
    now = () => performance.now(),
  } = options;
  const { origin, pathname, search } = new URL(options.url);
  // Timeouts are off because each call has its own deadline; undici's timers are coarse.
  const pool = new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // Without `identity` any encoding would be acceptable.
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' };
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const queue = new FairQueue({ connectionsMax, weightPerMinute, waitingMax, now });
  const calls = new Dedupe<UpstreamResponse>(now);
  let responseBytes = 0;

  /** Sends one request. Retries once after a connection reset before any byte of a response: queries only read. */
  async function send(
    body: string,
    signal: AbortSignal,
    attempt: 'first' | 'second',
  ): Promise<Dispatcher.ResponseData> {
    try {
      const path = pathname + search;
      return await pool.request({ method: 'POST', path, headers: { ...headers, ...authorization }, body, signal });
    } catch (error) {
      const code = failureCode(error);
      if (attempt === 'first' && !signal.aborted && code !== null && RESET_CODES.has(code))
        return send(body, signal, 'second');
      throw new UpstreamError({ kind: 'unreachable', code }, { cause: error });
    }
  }

  /** Reads a body, up to the limit of one response and the limit of all together. */
  async function read(body: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      // Leaving the loop early closes the connection.
      for await (const chunk of body) {
        bytes += chunk.length;
        responseBytes += chunk.length;
        if (bytes > responseBytesMax)
          throw new UpstreamError({ kind: 'unusable', problem: 'a response that is too large' });
        if (responseBytes > responsesBytesMax) throw busy('memory', NO_ROOM_RETRY_MS);
        chunks.push(chunk);
      }
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      throw new UpstreamError({ kind: 'unreachable', code: failureCode(error) }, { cause: error });
    } finally {
      responseBytes -= bytes;
    }
  }

  /** Makes one attempt of a call that has a permit. Resolves with the response, or with the ms to wait after a 429. */
  async function attempt(
    body: string,
    shared: SharedCall<UpstreamResponse>,
    refusals: number,
  ): Promise<UpstreamResponse | number> {
    const { signal } = shared.end;
    const response = await send(body, signal, 'first');
    shared.close();
    const bytes = await read(response.body);
    const status = response.statusCode;
    if (status === 429) {
      const waitMs = busyWaitMs(response.headers['retry-after'], refusals);
      // Before the connection is freed, because the next call of the queue gets it at once.
      if (weightPerMinute !== undefined) queue.pause(waitMs);
      return waitMs;
    }
    if (status < 200 || status > 299) {
      if (dialect === 'service') noteRefusedService(status, log);
      const text = bytes.toString('utf8', 0, REFUSAL_TEXT_MAX);
      throw new UpstreamError({ kind: 'status', status, text });
    }
    return new UpstreamResponse(bytes);
  }

  /** Makes a call within its deadline. After a 429 it waits and tries again. */
  async function call(
    { type }: UpstreamRequest,
    body: string,
    { account, timeoutMs: callTimeoutMs = timeoutMs, sentTimeoutMs }: AskOptions,
    shared: SharedCall<UpstreamResponse>,
  ): Promise<UpstreamResponse> {
    const { end } = shared;
    const deadline = now() + callTimeoutMs;
    const timeout = timeoutAfter(callTimeoutMs);
    const unsent = sentTimeoutMs === undefined ? timeout : busy('deadline', NO_ROOM_RETRY_MS);
    /** The error at the deadline. After a 429 that is the reason, whatever happens to the last attempt. */
    let late = weightPerMinute === undefined ? unsent : busy('limit', BUSY_WAIT_MS.longest);
    const timer = setTimeout(() => end.abort(late), callTimeoutMs);
    try {
      for (let refusals = 0; ; refusals += 1) {
        const permit = await queue.enter(account, weightOf(type), deadline, end.signal);
        if (refusals === 0) late = timeout;
        // A call made by the service itself is aborted once it has no callers left.
        if (account !== undefined) shared.sent();
        const sentTimer =
          sentTimeoutMs === undefined
            ? undefined
            : setTimeout(() => end.abort(timeoutAfter(sentTimeoutMs)), sentTimeoutMs);
        let extraWeight = 0;
        let outcome: UpstreamResponse | number;
        try {
          outcome = await attempt(body, shared, refusals);
          if (typeof outcome !== 'number' && weightPerMinute !== undefined) extraWeight = extraWeightOf(type, outcome);
        } finally {
          clearTimeout(sentTimer);
          permit.end(extraWeight);
        }
        if (typeof outcome !== 'number') return outcome;
        late = busy('upstream', outcome);
        if (now() + outcome >= deadline) throw late;
        shared.unsent();
        await sleep(outcome, undefined, { signal: end.signal });
      }
    } catch (error) {
      throw end.signal.aborted ? end.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    dialect,
    weightPerMinute,
    /** Resolves with the unparsed 2xx response. Equal queries of an account in flight are one call. */
    ask(request: UpstreamRequest, askOptions: AskOptions = {}): Promise<UpstreamResponse> {
      const body = JSON.stringify(request);
      const { account = '', timeoutMs: callTimeoutMs, sentTimeoutMs, signal } = askOptions;
      // Callers with other time limits have a call of their own, because a call has one deadline.
      const key = [account, callTimeoutMs, sentTimeoutMs, body].join(' ');
      return calls.call(key, signal, (shared) => call(request, body, askOptions, shared));
    },
    /** Reserves weight in each minute for these calls of the service itself, if the upstream counts weight (UP-25). */
    reserve(requests: readonly UpstreamRequest[], timesPerMinute: number): void {
      const weight = requests.reduce((sum, { type }) => sum + weightOf(type).base, 0);
      queue.reserve(Math.ceil(weight * timesPerMinute));
    },
    health: () => ({
      waiting: queue.waiting,
      inFlight: queue.inFlight,
      /** Memory of the responses that are being read, in bytes. */
      responseBytes,
      weightUsed: queue.weightUsed,
    }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

function timeoutAfter(afterMs: number): UpstreamError {
  return new UpstreamError({ kind: 'timeout', afterMs });
}

function busy(reason: keyof typeof BUSY_TEXTS, retryAfterMs: number): UpstreamError {
  return new UpstreamError({ kind: 'busy', reason, retryAfterMs });
}

/** The wait after a 429, after `refusals` earlier ones. A `Retry-After` of 0 would use up the limit. */
function busyWaitMs(retryAfter: string | string[] | undefined, refusals: number): number {
  const askedMs = Number(retryAfter) * 1000;
  if (askedMs >= BUSY_WAIT_MS.first) return Math.min(askedMs, RETRY_AFTER_MS_MAX);
  return Math.min(BUSY_WAIT_MS.longest, BUSY_WAIT_MS.first * 2 ** refusals);
}

/** Logs refusals that only the operator can fix. Callers only learn that the upstream failed. */
function noteRefusedService(status: number, log: Logger): void {
  if (status === 401 || status === 403)
    log.error({ status }, 'the upstream service rejects UPSTREAM_API_KEY: set a valid API key');
  else if (status === 402) log.error({ status }, 'UPSTREAM_API_KEY has no credits left at the upstream service');
}

/** The system's error code of a failed connection, such as ECONNREFUSED. The error's message would name the host. */
function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? code : null;
}

/** The weight of a query of a kind that this service does not serve itself. */
const OTHER_COST: UpstreamCost = { weight: 20 };

const COSTS: ReadonlyMap<string, UpstreamCost> = new Map(
  Object.entries(INFO_KINDS).flatMap(([kind, entry]) => (entry.family === 'book' ? [] : [[kind, entry]])),
);

function costOf(type: string): UpstreamCost {
  return COSTS.get(type) ?? OTHER_COST;
}

function weightOf(type: string): CallWeight {
  const { weight, rows } = costOf(type);
  return { base: weight, extraMax: rows === undefined ? 0 : Math.ceil(rows.max / rows.perWeight) };
}

/** The weight that the response adds: one for each started 20 rows, or 60 candles. */
function extraWeightOf(type: string, response: UpstreamResponse): number {
  const { rows } = costOf(type);
  if (rows === undefined) return 0;
  try {
    return Math.ceil(Math.min(response.rows().length, rows.max) / rows.perWeight);
  } catch (error) {
    // The caller, who reads the response next, gets this error.
    if (error instanceof UpstreamError) return 0;
    throw error;
  }
}
