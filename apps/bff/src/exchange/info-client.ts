import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Logger } from '../log/log.ts';
import { CallQueue, NoTurn, type Turn } from './call-queue.ts';
import { type CoalescedCall, CoalescedCalls } from './coalesced-calls.ts';
import { HttpFailure, type HttpResponse, httpPost } from './http-post.ts';
import { UpstreamResponse } from './response.ts';
import { responseBytesMax as usualBytesMax } from './response-limits.ts';
import { type ResponseHold, ResponseMemory } from './response-memory.ts';
import { TimeSlices } from './time-slices.ts';
import { UpstreamError } from './upstream-error.ts';
import { extraWeightOf, weightOf } from './weights.ts';

/** A query as it goes upstream. */
export interface UpstreamRequest {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What one caller wants of a call. */
export interface AskOptions {
  /** The account the call is for; the service itself when left out. */
  readonly account?: string;
  /** In place of the client's own deadline; from the call to the last byte of the response. */
  readonly timeoutMs?: number;
  /**
   * Aborts when the caller has left. A call that is not on its way by then is dropped; one that is, is finished for its
   * account: the upstream's limit, or the operator's credits, are spent (BILL-23, BILL-24). Other callers of the call are not affected.
   */
  readonly signal?: AbortSignal;
}

/** What is at the other end: the exchange's info API, or a service like this one, which serves batches itself. */
type InfoDialect = 'exchange' | 'service';

/**
 * Reads a 2xx response in steps, so that a large one does not block the event loop, and returns the result. Throws
 * UpstreamError when it cannot be used. It is part of the call: the deadlines of the callers cover it.
 */
export type ResponseReader<T> = (response: UpstreamResponse) => Iterator<unknown, T>;

/** Calls whose responses are read in one way. */
export interface InfoCalls<T> {
  /**
   * What was read of the response to one query. Identical queries in flight share one call. Rejects with UpstreamError, or with
   * the signal's reason when it aborts before the call is on its way.
   */
  ask(request: UpstreamRequest, options?: AskOptions): Promise<T>;
  /** Makes calls side by side: one deadline for all of them, which begins now, and one signal. */
  together(options?: AskOptions): (request: UpstreamRequest) => Promise<T>;
}

/** The info endpoint of the upstream; its own calls resolve with the response as it came. */
export interface InfoClient extends InfoCalls<UpstreamResponse>, AsyncDisposable {
  readonly dialect: InfoDialect;
  /** How long a call may take unless it says otherwise. */
  readonly timeoutMs: number;
  /** Calls with a reader of their own; only those share calls with each other. */
  reading<T>(read: ResponseReader<T>): InfoCalls<T>;
  /** Keeps room in each minute for these calls of the service's own, where the upstream counts weight (UP-25). */
  reserve(requests: readonly UpstreamRequest[], timesPerMinute: number): void;
  health(): InfoClientHealth;
}

/** How calls are going, for `/metrics`. */
export interface InfoClientHealth {
  /** Calls that wait for their turn. */
  readonly waiting: number;
  readonly underWay: number;
  /** Weight used in the last 60 s; undefined where the upstream does not count it. */
  readonly weightUsed: number | undefined;
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
  /** Most calls of one account that wait; one more fails at once. */
  readonly waitingMax: number;
  /** Maximum bytes of all responses being read. */
  readonly responsesBytesMax: number;
  /** Most bytes of one response, by kind; the usual limits when left out. */
  readonly responseBytesMax?: (type: string) => number;
  readonly log: Logger;
  /** Monotonic time in ms; `performance.now` when left out. */
  readonly now?: () => number;
}

/** Connections outlive the pause between two batches; an upstream that says less in `Keep-Alive` is believed. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Longest `Retry-After` that is believed: the window the exchange counts its limit over. Where the limit is counted
 * everybody waits for it, and a proxy that says a day must not stop every query for one.
 */
const RETRY_AFTER_MS_MAX = 60_000;

/** How long a 429 without `Retry-After` is waited out: doubled each time, up to the second figure. */
const BUSY_WAIT_MS = { first: 250, longest: 5_000 } as const;

/** When a call may be retried whose response did not fit into the memory limit. */
const NO_ROOM_RETRY_MS = 1_000;

/** How much of a refusal's body is kept for who reads it. */
const REFUSAL_TEXT_MAX = 4_096;

/** Failures of a connection that say nothing about the call: it may have been closed while it was idle. */
const RESET_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Calls the info endpoint at `url` over a pool of connections. */
export function createInfoClient(options: InfoClientOptions): InfoClient {
  const { dialect, timeoutMs, apiKey, weightPerMinute, connectionsMax, waitingMax, log } = options;
  const { responsesBytesMax, responseBytesMax = usualBytesMax, now = () => performance.now() } = options;
  const { origin, pathname, search } = new URL(options.url);
  // Each caller has its own deadline: undici's are coarse.
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
  const slices = new TimeSlices();
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

  /** One request and its response. A connection reset before any byte of a response is retried once: queries only read. */
  async function post(
    body: string,
    hold: ResponseHold,
    flight: CoalescedCall,
    attempt: 'first' | 'second',
  ): Promise<HttpResponse> {
    try {
      return await httpPost({ pool, path, headers, body, hold, flight });
    } catch (error) {
      if (!(error instanceof HttpFailure) || flight.isAbandoned) throw error;
      if (error.refused === 'too-large')
        throw new UpstreamError({ kind: 'unusable', problem: 'a response that is too large' });
      if (error.refused === 'no-room')
        throw new UpstreamError({ kind: 'busy', retryAfterMs: NO_ROOM_RETRY_MS, reason: 'memory' });
      const code = failureCode(error.cause);
      if (attempt === 'first' && !error.responseBegan && code !== null && RESET_CODES.has(code))
        return post(body, hold, flight, 'second');
      throw new UpstreamError({ kind: 'unreachable', code }, { cause: error });
    }
  }

  /** One try, in its turn: the response, or how long the upstream asks to wait. */
  async function attempt(
    type: string,
    body: string,
    hold: ResponseHold,
    flight: CoalescedCall,
    refusals: number,
  ): Promise<UpstreamResponse | number> {
    const turn = await takeTurn(queue, type, flight);
    let extraWeight = 0;
    try {
      // Once the exchange said that it is busy, that is what held the call up, whatever became of the last try.
      if (refusals === 0) flight.setback = undefined;
      const { status, headers: received, chunks } = await post(body, hold, flight, 'first');
      if (status === 429) return busyWaitMs(received['retry-after'], refusals);
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

  /** The whole call. It waits after a 429 as long as a caller waits for the response; the deadline ends the loop. */
  async function call(
    type: string,
    body: string,
    hold: ResponseHold,
    flight: CoalescedCall,
  ): Promise<UpstreamResponse> {
    for (let refusals = 0; ; refusals += 1) {
      const outcome = await attempt(type, body, hold, flight, refusals);
      if (typeof outcome !== 'number') return outcome;
      if (weightPerMinute !== undefined) queue.pause(outcome);
      flight.setback = new UpstreamError({ kind: 'busy', retryAfterMs: outcome, reason: 'upstream' });
      if (now() + outcome >= flight.deadline) throw flight.setback;
      flight.unsent();
      hold.release();
      await pause(outcome, flight);
    }
  }

  function reading<T>(read: ResponseReader<T>): InfoCalls<T> {
    const flights = new CoalescedCalls<T>(now);
    const callAndRead = async (type: string, body: string, flight: CoalescedCall): Promise<T> => {
      const hold = memory.hold(responseBytesMax(type));
      try {
        const response = await call(type, body, hold, flight);
        return await slices.run(whileWanted(read(response), flight));
      } finally {
        hold.release();
      }
    };
    const together: InfoCalls<T>['together'] = ({ account, timeoutMs: afterMs = timeoutMs, signal } = {}) => {
      const timeoutError = () => new UpstreamError({ kind: 'timeout', afterMs });
      const join = flights.by({ user: account, timeoutMs: afterMs, signal, timeoutError });
      return (request) => {
        const body = JSON.stringify(request);
        return join(body, (flight) => callAndRead(request.type, body, flight));
      };
    };
    return { together, ask: (request, askOptions) => together(askOptions)(request) };
  }

  return {
    dialect,
    timeoutMs,
    ...reading(inOneStep((response) => response)),
    reading,
    reserve(requests, timesPerMinute) {
      const weight = requests.reduce((sum, { type }) => sum + weightOf(type).base, 0);
      queue.reserve(Math.ceil(weight * timesPerMinute));
    },
    health: () => ({ waiting: queue.waiting, underWay: queue.underWay, weightUsed: queue.weightUsed }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** A reader whose work is small enough to be done in one step. */
export function inOneStep<T>(read: (response: UpstreamResponse) => T): ResponseReader<T> {
  return (response) => ({ next: () => ({ done: true, value: read(response) }) });
}

/** Steps that end when no caller waits for their outcome any more. */
function* whileWanted<T>(steps: Iterator<unknown, T>, flight: CoalescedCall): Generator<undefined, T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield undefined;
    if (flight.isAbandoned) throw new Error('the call was canceled by all callers');
  }
}

/** Waits for the call's turn, in the queues of all who want its response. */
async function takeTurn(queue: CallQueue, type: string, flight: CoalescedCall): Promise<Turn> {
  const turn = asBusy(() => queue.enter(flight.users, weightOf(type), flight.deadline));
  const granted = turn.whenGranted();
  if (granted === undefined) return turn;
  flight.onAbandoned = () => queue.cancel(turn);
  flight.onUserJoined = (user) => asBusy(() => queue.join(turn, user));
  flight.onUserLeft = (user) => queue.leave(turn, user);
  if (queue.weightUsed !== undefined)
    flight.setback ??= new UpstreamError({ kind: 'busy', retryAfterMs: BUSY_WAIT_MS.longest, reason: 'limit' });
  try {
    await granted;
  } finally {
    flight.onUserJoined = undefined;
    flight.onUserLeft = undefined;
  }
  return turn;
}

/** What the queue refuses, as the failure of the call. */
function asBusy<T>(enter: () => T): T {
  try {
    return enter();
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    const { reason, retryAfterMs } = error;
    throw new UpstreamError({ kind: 'busy', retryAfterMs, reason }, { cause: error });
  }
}

/** Waits, for as long as a caller waits for the response. */
async function pause(ms: number, flight: CoalescedCall): Promise<void> {
  const leave = new AbortController();
  if (flight.isAbandoned) leave.abort();
  flight.onAbandoned = () => leave.abort();
  await sleep(ms, undefined, { signal: leave.signal });
}

/** How long to wait after the n-th 429 of a call. */
function busyWaitMs(retryAfter: string | undefined, refusals: number): number {
  const asked = Number(retryAfter);
  if (retryAfter !== undefined && Number.isFinite(asked) && asked >= 0)
    return Math.min(Math.max(asked * 1000, 1), RETRY_AFTER_MS_MAX);
  return Math.min(BUSY_WAIT_MS.longest, BUSY_WAIT_MS.first * 2 ** refusals);
}

/** Logs what only the operator can fix; callers only learn that the upstream failed. */
function noteRefusedService(status: number, log: Logger): void {
  if (status === 401 || status === 403)
    log.error({ status }, 'the upstream service rejects UPSTREAM_API_KEY: set a valid API key');
  else if (status === 402) log.error({ status }, 'UPSTREAM_API_KEY has no credits left at the upstream service');
}

/** The system's word for a failed connection, such as ECONNREFUSED; its message would name the host. */
function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? code : null;
}
