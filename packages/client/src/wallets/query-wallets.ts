import {
  type Address,
  BATCH_WALLETS_MAX,
  type ErrorSlot,
  infoCredits,
  isErrorSlot,
  readAddress,
  uniqueWallets,
  WireFormatError,
} from '@l4desk/protocol';
import { ServiceError, TransportError, WalletError } from '../errors.ts';
import type { QueryOptions } from '../transport.ts';
import { inParallel } from './in-parallel.ts';
import type { WalletResult, WalletStates, WalletsOptions } from './types.ts';

const PARALLEL = 4;

/** Refusals that would apply to every other call as well: of the credential, or for lack of credits. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

type Failure = Extract<WalletResult<unknown>, { kind: 'failed' }>['error'];

/** One call of a batch kind. */
type Call<State> = (users: readonly Address[], options: QueryOptions) => Promise<readonly (ErrorSlot | State)[]>;

/**
 * Queries any number of wallets in calls of up to 50, a few at once. A failed call gives failed results for its own wallets only.
 * Throws RangeError for an invalid wallet before anything is sent. Rejects with the signal's reason.
 */
export async function queryWallets<State extends { readonly user: Address }>(
  name: 'batchClearinghouseState' | 'batchSpotClearinghouseState',
  call: Call<State>,
  users: readonly Address[],
  { parallel = PARALLEL, onProgress = () => {}, ...options }: WalletsOptions,
): Promise<WalletStates<State>> {
  if (!Number.isInteger(parallel) || parallel < 1) throw new RangeError('parallel must be a whole number from 1');
  const wallets = uniqueWallets(users.map(readUser));
  const price = infoCredits(name);
  let calls = 0;
  let walletsDone = 0;
  let final: ServiceError | undefined;

  const ask = async (batch: readonly Address[]): Promise<readonly WalletResult<State>[]> => {
    if (final !== undefined) return allFailed(batch, final);
    try {
      const results = resultsOf(name, batch, await call(batch, options));
      calls += 1;
      return results;
    } catch (error) {
      if (options.signal?.aborted === true || !isFailure(error)) throw error;
      // The call succeeded, and so was charged, but its response is unusable.
      if (error instanceof WireFormatError) calls += 1;
      if (error instanceof ServiceError && FINAL_STATUSES.has(error.status)) final = error;
      return allFailed(batch, error);
    } finally {
      walletsDone += batch.length;
    }
  };
  const batches = await inParallel(parallel, batchesOf(wallets), async (batch) => {
    const results = await ask(batch);
    onProgress({ walletsDone, walletsTotal: wallets.length, credits: calls * price });
    return results;
  });
  const results = batches.flat();
  const retryable = results.filter((result) => result.kind === 'failed' && result.error.retryable);
  return { results, retryable: retryable.map(({ user }) => user), calls, credits: calls * price };
}

function readUser(user: string, at: number): Address {
  const read = readAddress(user);
  if (read.kind === 'address') return read.address;
  throw new RangeError(`users[${at}] must be a wallet address, but ${read.problem}`);
}

function batchesOf(wallets: readonly Address[]): (readonly Address[])[] {
  const count = Math.ceil(wallets.length / BATCH_WALLETS_MAX);
  return Array.from({ length: count }, (_, index) =>
    wallets.slice(index * BATCH_WALLETS_MAX, (index + 1) * BATCH_WALLETS_MAX),
  );
}

/** Slot i is wallet i (BATCH-4). A response that breaks this could give one wallet's balances to another. */
function resultsOf<State extends { readonly user: Address }>(
  name: string,
  batch: readonly Address[],
  slots: readonly (ErrorSlot | State)[],
): readonly WalletResult<State>[] {
  if (slots.length !== batch.length) throw new WireFormatError(name, `must hold ${batch.length} slots`);
  return slots.map((slot, index) => {
    const user = batch[index];
    if (user === undefined || slot.user.toLowerCase() !== user) {
      throw new WireFormatError(`${name}[${index}].user`, `must be ${user}`);
    }
    if (isErrorSlot(slot)) return { kind: 'failed', user, error: new WalletError(user, slot.message) };
    return { kind: 'state', user, state: slot };
  });
}

function allFailed(batch: readonly Address[], error: Failure): readonly WalletResult<never>[] {
  return batch.map((user) => ({ kind: 'failed', user, error }));
}

function isFailure(error: unknown): error is ServiceError | TransportError | WireFormatError {
  return error instanceof ServiceError || error instanceof TransportError || error instanceof WireFormatError;
}
