import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Logger } from '../log/log.ts';
import { CallQueue, NoTurn, type Turn } from './call-queue.ts';
import { type CoalescedCall, CoalescedCalls } from './coalesced-calls.ts';
import { HttpFailure, type HttpResponse, httpPost } from './http-post.ts';
import { UpstreamResponse } from './response.ts';
import { type ResponseHold, ResponseMemory } from './response-memory.ts';
import { UpstreamError } from './upstream-error.ts';
import { costOf, extraWeightOf, weightOf } from './weights.ts';

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
  /**
   * How long a call may take once it was sent, within `timeoutMs`. With it, a call that could not be sent in time is rejected as
   * `busy` (D16).
   */
  readonly sentTimeoutMs?: number | undefined;
  /**
   * Aborts when the caller has left. A call that has not been sent by then is dropped. A sent call is finished for its
   * account, because it has already used the upstream's limit or the operator's credits (BILL-23, BILL-24). Other
   * callers of a shared call are not affected.
   */
  readonly signal?: AbortSignal;
}

/** The kind of upstream: the exchange's info API, or another instance of this service, which serves batches itself. */
type InfoDialect = 'exchange' | 'service';

/** Reads a 2xx response, as a part of the call. Throws UpstreamError if the response cannot be used. */
export type ResponseReader<T> = (response: UpstreamResponse) => T;

/** Makes calls whose responses are all read by one reader. */
export interface InfoCalls<T> {
  /**
   * Resolves with what the reader returns for one query. Identical queries in flight share one call. Rejects with
   * UpstreamError, or with the signal's reason if it aborts before the call is sent.
   */
  ask(request: UpstreamRequest, options?: AskOptions): Promise<T>;
  /** Makes concurrent calls that share one signal and one deadline, which starts now. */
  together(options?: AskOptions): (request: UpstreamRequest) => Promise<T>;
}

/** Client of the upstream's info endpoint. Its own `ask` and `together` resolve with the unparsed response. */
export interface InfoClient extends InfoCalls<UpstreamResponse>, AsyncDisposable {
  readonly dialect: InfoDialect;
  /** Default timeout of a call. */
  readonly timeoutMs: number;
  /** Maximum weight in any 60 s; undefined if the upstream does not count weight. */
  readonly weightPerMinute: number | undefined;
  /** Returns calls that use the given reader. They share calls only with each other. */
  reading<T>(read: ResponseReader<T>): InfoCalls<T>;
  /** Reserves weight in each minute for these calls of the service itself, if the upstream counts weight (UP-25). */
  reserve(requests: readonly UpstreamRequest[], timesPerMinute: number): void;
  health(): InfoClientHealth;
}

/** State of the client, for `/metrics`. */
export interface InfoClientHealth {
  /** Number of queued calls. */
  readonly waiting: number;
  readonly underWay: number;
  /** Memory of the responses that are being read, in bytes. */
  readonly responseBytes: number;
  /** Weight used in the last 60 s; undefined if the upstream does not count it. */
  readonly weightUsed: number | undefined;
}

export interface InfoClientOptions {
  /** The full URL, including the path. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Maximum number of connections. Further calls wait for one. */
  readonly connectionsMax: number;
  readonly dialect: InfoDialect;
  /** Sent as a Bearer key. */
  readonly apiKey?: string | undefined;
  /** Maximum weight in any 60 s; undefined if the upstream does not count weight. */
  readonly weightPerMinute?: number | undefined;
  /** Maximum number of queued calls per account. Further calls fail at once. Default: 256. */
  readonly waitingMax?: number;
  /** Maximum total bytes of all responses being read. Default: 256 MiB. */
  readonly responsesBytesMax?: number;
  /** Returns the maximum bytes of one response of a kind. Default: those of `INFO_KINDS`. */
  readonly responseBytesMax?: (type: string) => number;
  readonly log: Logger;
  /** Monotonic time in ms. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Keeps connections open between two batches. A shorter time in the upstream's `Keep-Alive` header is respected. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Upper bound for `Retry-After`: the window over which the exchange counts its limit. If weight is counted, all calls
 * wait for it, and a proxy that sends one day must not stop every query for a day.
 */
const RETRY_AFTER_MS_MAX = 60_000;

/** Wait after a 429 without a usable `Retry-After`: starts at `first` and doubles each time up to `longest`. */
const BUSY_WAIT_MS = { first: 250, longest: 5_000 } as const;

/** Suggested retry delay for a call that could not be sent, or whose response did not fit into the memory limit. */
const NO_ROOM_RETRY_MS = 1_000;

/** How many bytes of a refusal's body are kept in the error. */
const REFUSAL_TEXT_MAX = 4_096;

/** Connection errors that say nothing about the call: the connection may have been closed while idle. */
const RESET_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Calls the info endpoint at `url` over a pool of connections. */
export function createInfoClient(options: InfoClientOptions): InfoClient {
  const { dialect, timeoutMs, apiKey, weightPerMinute, connectionsMax, waitingMax = 256, log } = options;
  const {
    responsesBytesMax = 256 * 1024 * 1024,
    responseBytesMax = (type: string) => costOf(type).bytesMax,
    now = () => performance.now(),
  } = options;
  const { origin, pathname, search } = new URL(options.url);
  // Timeouts are off because each caller has its own deadline; undici's timers are coarse.
  const pool = new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const path = pathname + search;
  const headers = ['content-type', 'application/json', 'accept', 'application/json'];
  if (apiKey !== undefined) headers.push('authorization', `Bearer ${apiKey}`);
  const memory = new ResponseMemory(responsesBytesMax);
  const queue = new CallQueue({
    connectionsMax,
    weightPerMinute,
    waitingMax,
    now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });

  /** Sends one request. Retries once after a connection reset before any byte of a response: queries only read. */
  async function post(
    body: string,
    hold: ResponseHold,
    call: CoalescedCall,
    attempt: 'first' | 'second',
  ): Promise<HttpResponse> {
    try {
      return await httpPost({ pool, path, headers, body, hold, call });
    } catch (error) {
      if (!(error instanceof HttpFailure) || call.isAbandoned) throw error;
      if (error.refused === 'too-large')
        throw new UpstreamError({ kind: 'unusable', problem: 'a response that is too large' });
      if (error.refused === 'no-room')
        throw new UpstreamError({ kind: 'busy', retryAfterMs: NO_ROOM_RETRY_MS, reason: 'memory' });
      const code = failureCode(error.cause);
      if (attempt === 'first' && !error.responseBegan && code !== null && RESET_CODES.has(code))
        return post(body, hold, call, 'second');
      throw new UpstreamError({ kind: 'unreachable', code }, { cause: error });
    }
  }

  /** Makes one attempt once it gets its turn. Resolves with the response, or with the ms to wait after a 429. */
  async function attempt(
    type: string,
    body: string,
    hold: ResponseHold,
    call: CoalescedCall,
    refusals: number,
  ): Promise<UpstreamResponse | number> {
    const turn = await takeTurn(queue, type, call);
    let extraWeight = 0;
    try {
      // After a 429 the setback stays: it is the reason for the delay, whatever happens to the last attempt.
      if (refusals === 0) call.setback = undefined;
      const { status, headers: received, chunks } = await post(body, hold, call, 'first');
      if (status === 429) {
        const waitMs = busyWaitMs(received['retry-after'], refusals);
        // Before the connection is freed, because the next call of the queue gets it at once.
        if (weightPerMinute !== undefined) queue.pause(waitMs);
        return waitMs;
      }
      if (status < 200 || status > 299) {
        if (dialect === 'service') noteRefusedService(status, log);
        const text = Buffer.concat(chunks).toString('utf8', 0, REFUSAL_TEXT_MAX);
        throw new UpstreamError({ kind: 'status', status, text });
      }
      const response = new UpstreamResponse(chunks);
      if (weightPerMinute !== undefined) extraWeight = extraWeightOf(type, response);
      return response;
    } finally {
      queue.done(turn, extraWeight);
    }
  }

  /** Makes the whole call. After a 429 it waits and retries as long as a caller waits; the deadline ends the loop. */
  async function callWithRetries(
    type: string,
    body: string,
    hold: ResponseHold,
    call: CoalescedCall,
  ): Promise<UpstreamResponse> {
    for (let refusals = 0; ; refusals += 1) {
      const outcome = await attempt(type, body, hold, call, refusals);
      if (typeof outcome !== 'number') return outcome;
      call.setback = new UpstreamError({ kind: 'busy', retryAfterMs: outcome, reason: 'upstream' });
      if (now() + outcome >= call.deadline) throw call.setback;
      call.unsent();
      hold.release();
      await pause(outcome, call);
    }
  }

  function reading<T>(read: ResponseReader<T>): InfoCalls<T> {
    const calls = new CoalescedCalls<T>(now);
    const callAndRead = async (type: string, body: string, call: CoalescedCall): Promise<T> => {
      const hold = memory.hold(responseBytesMax(type));
      try {
        return read(await callWithRetries(type, body, hold, call));
      } finally {
        hold.release();
      }
    };
    const together: InfoCalls<T>['together'] = (askOptions = {}) => {
      const { account, timeoutMs: waitMs = timeoutMs, sentTimeoutMs, signal } = askOptions;
      const timeoutError = (afterMs: number) => new UpstreamError({ kind: 'timeout', afterMs });
      const unsentError = sentTimeoutMs === undefined ? undefined : notSentInTime;
      const join = calls.by({ user: account, timeoutMs: waitMs, sentTimeoutMs, signal, timeoutError, unsentError });
      return (request) => {
        const body = JSON.stringify(request);
        return join(body, (call) => callAndRead(request.type, body, call));
      };
    };
    return { together, ask: (request, askOptions) => together(askOptions)(request) };
  }

  return {
    dialect,
    timeoutMs,
    weightPerMinute,
    ...reading((response) => response),
    reading,
    reserve(requests, timesPerMinute) {
      const weight = requests.reduce((sum, { type }) => sum + weightOf(type).base, 0);
      queue.reserve(Math.ceil(weight * timesPerMinute));
    },
    health: () => ({
      waiting: queue.waiting,
      underWay: queue.underWay,
      responseBytes: memory.bytes,
      weightUsed: queue.weightUsed,
    }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Waits for the call's turn, in the queues of all users who want its response. */
async function takeTurn(queue: CallQueue, type: string, call: CoalescedCall): Promise<Turn> {
  const turn = asBusy(() => queue.enter(call.users, weightOf(type), call.deadline));
  const granted = turn.whenGranted();
  if (granted === undefined) return turn;
  call.onAbandoned = () => queue.cancel(turn);
  call.onUserJoined = (user) => asBusy(() => queue.join(turn, user));
  call.onUserLeft = (user) => queue.leave(turn, user);
  if (queue.weightUsed !== undefined)
    call.setback ??= new UpstreamError({ kind: 'busy', retryAfterMs: BUSY_WAIT_MS.longest, reason: 'limit' });
  try {
    await granted;
  } finally {
    call.onUserJoined = undefined;
    call.onUserLeft = undefined;
  }
  return turn;
}

function notSentInTime(): UpstreamError {
  return new UpstreamError({ kind: 'busy', retryAfterMs: NO_ROOM_RETRY_MS, reason: 'deadline' });
}

/** Converts a refusal by the queue into an UpstreamError. */
function asBusy<T>(enter: () => T): T {
  try {
    return enter();
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    const { reason, retryAfterMs } = error;
    throw new UpstreamError({ kind: 'busy', retryAfterMs, reason }, { cause: error });
  }
}

/** Waits `ms`. Rejects early when all callers have left. */
async function pause(ms: number, call: CoalescedCall): Promise<void> {
  const leave = new AbortController();
  if (call.isAbandoned) leave.abort();
  call.onAbandoned = () => leave.abort();
  await sleep(ms, undefined, { signal: leave.signal });
}

/**
 * How long to wait after a 429; `refusals` is the number of earlier ones of the same call. A shorter `Retry-After` than the
 * first pause, such as 0, is ignored: calls that never pause would only use up the limit.
 */
function busyWaitMs(retryAfter: string | undefined, refusals: number): number {
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
