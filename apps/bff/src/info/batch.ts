import {
  type Address,
  copyText,
  type ErrorSlot,
  errorSlot,
  fits,
  type InfoKind as InfoKindName,
  isErrorSlot,
  isObject,
  successSlot,
  type z,
} from '@l4desk/protocol';
import { redacted } from '@l4desk/runtime';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import { refusalOf, type UpstreamResponse } from '../exchange/response.ts';
import { BUSY_TEXTS, UpstreamError } from '../exchange/upstream-error.ts';
import { decode } from '../http/body.ts';
import { plainResponse } from '../http/respond.ts';
import type { InfoCall, InfoKind } from './kind.ts';
import { isRefusalOf, serviceCodeOf, type UnservedKinds, unusable } from './upstream-failure.ts';

interface BatchQuery extends UpstreamRequest {
  /** Lowercase, without duplicates. */
  readonly users: readonly Address[];
}

interface BatchDeps {
  readonly info: InfoClient;
  readonly unserved: UnservedKinds;
  /** Timeouts of one wallet, from when it is sent, and of the whole batch (D16). */
  readonly walletTimeoutMs: number;
  readonly batchTimeoutMs: number;
}

interface BatchSteps<Query extends BatchQuery> extends BatchDeps {
  readonly type: InfoKindName;
  readonly request: z.ZodType<Query>;
  /** The field of a wallet's state that must be a list. Nothing else in a state is checked (D59). */
  readonly list: 'balances' | 'assetPositions';
  readonly perWallet: string;
  readonly askWallet: (user: Address, query: Query) => UpstreamRequest;
}

type Text = readonly Uint8Array[];

/** Creates a kind that queries many wallets in one call (§4.1). A wallet that fails is a slot (BATCH-6). */
export function batchKind<Query extends BatchQuery>(steps: BatchSteps<Query>): InfoKind<Query, Buffer> {
  const { type, info, request } = steps;
  return {
    type,
    decode: (body) => decode(request, body),
    fetch: (query, call) =>
      info.dialect === 'service' ? queryBatch(steps, query, call) : queryWallets(steps, query, call),
    check: plainResponse,
  };
}

/** Makes one call per wallet, in parallel over the client's bounded connection pool (BATCH-12). */
async function queryWallets<Query extends BatchQuery>(
  { info, list, perWallet, askWallet, unserved, walletTimeoutMs, batchTimeoutMs }: BatchSteps<Query>,
  query: Query,
  call: InfoCall,
): Promise<Buffer> {
  const { clientGone } = call;
  const sentTimeoutMs = walletTimeoutMs < batchTimeoutMs ? walletTimeoutMs : undefined;
  const options = {
    account: call.principal.accountId,
    timeoutMs: batchTimeoutMs,
    sentTimeoutMs: walletTimeoutMs,
    signal: clientGone,
  };
  const failures: unknown[] = [];
  const slots = await Promise.all(
    query.users.map(async (user): Promise<Text> => {
      try {
        return stateSlot(user, await info.ask(askWallet(user, query), options), list);
      } catch (error) {
        failures.push(error);
        // Calls dropped because the client disconnected need no slot.
        return clientGone.aborted
          ? []
          : [Buffer.from(JSON.stringify(errorSlotOf(user, messageOf(error, sentTimeoutMs))))];
      }
    }),
  );
  // A wallet that our own full queue refuses is a failed slot like any other (BATCH-6): "A batch with status 200 is charged,
  // whatever its slots" (BILL-7). Only a batch of which no wallet could be requested fails as a whole.
  if (failures.length === slots.length) {
    // No call succeeded, so there is nothing to charge, and the client has disconnected.
    if (clientGone.aborted) throw clientGone.reason;
    const turnedAway = longestWait(failures);
    if (turnedAway !== undefined) throw turnedAway;
    const [first] = query.users;
    if (first !== undefined) {
      const request = askWallet(first, query);
      const isRefused = failures.every((failure) => isRefusalOf(request, failure));
      const refusal = isRefused ? await unserved.explain(failures[0], request, call) : undefined;
      if (refusal !== undefined) throw refusal;
    }
  } else unserved.onServed(perWallet);
  return Buffer.concat([...slots.flatMap((slot, index) => [index === 0 ? OPENING : COMMA, ...slot]), CLOSING]);
}

/** If all wallets failed as busy, returns the failure with the longest wait. It becomes the failure of the batch (BATCH-21). */
function longestWait(failures: readonly unknown[]): UpstreamError | undefined {
  const waits = failures.flatMap((error) =>
    error instanceof UpstreamError && error.failure.kind === 'busy' ? [{ error, ms: error.failure.retryAfterMs }] : [],
  );
  if (waits.length < failures.length) return undefined;
  return waits.toSorted((a, b) => b.ms - a.ms)[0]?.error;
}

/** Sends the whole batch in one call to another instance of this service, and passes on its slots. */
async function queryBatch<Query extends BatchQuery>(
  { info, list, unserved, batchTimeoutMs }: BatchSteps<Query>,
  query: Query,
  call: InfoCall,
): Promise<Buffer> {
  const { users } = query;
  const { principal, clientGone } = call;
  try {
    const account = principal.accountId;
    const response = await info.ask(query, { account, timeoutMs: batchTimeoutMs, signal: clientGone });
    const served = usersOfSlots(response, list);
    if (served.length !== users.length || served.some((user, at) => user !== users[at]))
      throw unusable('a response of an unexpected shape');
    return response.bytes;
  } catch (error) {
    // Refused as a whole because of our key, our credits or its load: no wallet was queried, so the call itself failed.
    if (!(error instanceof UpstreamError) || clientGone.aborted) throw error;
    if (isRefusedBatch(error)) throw (await unserved.explain(error, query, call)) ?? error;
    const message = messageOf(error, undefined);
    return Buffer.from(JSON.stringify(users.map((user) => errorSlotOf(user, message))));
  }
}

function isRefusedBatch({ failure }: UpstreamError): boolean {
  if (failure.kind === 'status')
    return failure.status < 500 || failure.status === 501 || serviceCodeOf(failure.text) === 'upstream_busy';
  return failure.kind === 'busy';
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');
const OPENING_BRACE = 0x7b;

/** The error of a wallet that is not done by the batch timeout, or was never sent by then (BATCH-14). */
const OVERALL_TIMEOUT = 'overall batch timeout exceeded';

function isState(value: unknown, list: string): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Array.isArray(value[list]);
}

/** The wallets of the slots of a batch as sent by another instance of this service. Each slot is a state, or an error. */
function usersOfSlots(response: UpstreamResponse, list: string): readonly unknown[] {
  return response.rows().map((slot) => {
    const isSlot = fits(errorSlot, slot) || (isState(slot, list) && !isErrorSlot(slot));
    if (!isSlot || !('user' in slot)) throw unusable('a response of an unexpected shape');
    return slot.user;
  });
}

/** Returns a slot with `user` as its first key, followed by the state in the exchange's own bytes (BATCH-9). */
function stateSlot(user: Address, response: UpstreamResponse, list: string): Text {
  const state = response.json();
  const refusal = refusalOf(state);
  if (refusal !== undefined) throw unusable(redacted(refusal));
  if (!isState(state, list)) throw unusable('a response of an unexpected shape');
  if ('user' in state) return [Buffer.from(copyText(successSlot(user, state), state, response.bytes.toString()))];
  const { bytes } = response;
  return [Buffer.from(`{"user":"${user}",`), bytes.subarray(bytes.indexOf(OPENING_BRACE) + 1)];
}

function errorSlotOf(user: Address, message: string): ErrorSlot {
  return { error: 'upstream_error', user, message };
}

/** The message of a failed wallet (D16). A timeout of `walletTimeoutMs` is its own, any other that of the batch. */
function messageOf(error: unknown, walletTimeoutMs: number | undefined): string {
  if (!(error instanceof UpstreamError)) throw error;
  const { failure } = error;
  switch (failure.kind) {
    case 'status':
      return `upstream returned HTTP ${failure.status}`;
    case 'busy':
      if (failure.reason === 'upstream') return 'upstream returned HTTP 429';
      // Never sent by the deadline of the batch.
      if (failure.reason === 'limit' || failure.reason === 'deadline') return OVERALL_TIMEOUT;
      return `upstream_error: ${BUSY_TEXTS[failure.reason]}`;
    case 'timeout':
      return failure.afterMs === walletTimeoutMs
        ? `upstream_error: timeout after ${failure.afterMs} ms`
        : OVERALL_TIMEOUT;
    case 'unreachable':
      return `upstream_error: the connection failed${failure.code === null ? '' : ` (${failure.code})`}`;
    case 'unusable':
      return `upstream_error: ${failure.problem}`;
  }
}
