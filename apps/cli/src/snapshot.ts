import {
  bookOf,
  l4BookSnapshot,
  meta,
  type QueryOptions,
  ServiceError,
  TransportError,
  WireFormatError,
} from '@l4desk/client';
import { coinDex, type DecimalString, isDecimalString, z } from '@l4desk/protocol';
import type { Command } from 'commander';
import type { ChosenBook, Position } from './chosen-book.ts';
import type { CliContext } from './context.ts';
import { argument, CliFailure, EXIT, interruptedFailure, nameArgument } from './outcome.ts';
import { heightArgument, recordedBook } from './recorded.ts';
import {
  type Patience,
  patience,
  type RunningService,
  rejectedKey,
  runningService,
  type ServiceOptions,
  unreachable,
  wholeArgument,
  withServiceOptions,
} from './service.ts';

/** The options of commands that work on one book: a fresh snapshot of the service, or a book of a recording. */
export interface SnapshotOptions extends ServiceOptions {
  readonly coin?: string;
  readonly timeout: number;
  readonly from?: string;
  readonly at?: number;
}

/** Adds `--coin`, `--timeout`, `--from`, `--at` and the options that select the service. */
export function withSnapshotOptions(command: Command): Command {
  return withServiceOptions(
    command
      .option('--coin <coin>', 'perp coin; case-sensitive; required without --from', nameArgument)
      .option('--timeout <seconds>', 'how long to wait for the book', wholeArgument(1, 3_600), 30)
      .option('--from <file>', 'read the book from a recording instead of the service', nameArgument)
      .option('--at <height>', 'with --from: the block height (default: the end of the recording)', heightArgument),
  );
}

const plainDecimal = (isAllowed: (text: string) => boolean, problem: string) =>
  z.string().refine((text): text is DecimalString => isDecimalString(text) && isAllowed(text), problem);

/** Parses a non-negative decimal argument; returns it as text. */
export const amountArgument = argument(
  plainDecimal((text) => !text.startsWith('-'), 'must be a plain decimal from 0, such as 10 or 0.25'),
);

/** Parses a decimal argument above zero; returns it as text. */
export const positiveArgument = argument(
  plainDecimal((text) => /^[^-]*[1-9]/.test(text), 'must be a plain decimal above zero, such as 10 or 0.25'),
);

/** The book that the options select. Throws CliFailure for problems that waiting does not solve. */
export async function chosenBook(context: CliContext, options: SnapshotOptions): Promise<ChosenBook> {
  const { from, at, coin } = options;
  if (from !== undefined) return recordedBook(context, from, { at, coin });
  if (at !== undefined) throw new CliFailure('--at needs --from: only a recording has past books.', EXIT.usage);
  if (coin === undefined) throw new CliFailure('Specify --coin <coin>, or a recording with --from <file>.', EXIT.usage);
  return freshBook(context, options, coin);
}

async function freshBook(context: CliContext, options: SnapshotOptions, coin: string): Promise<ChosenBook> {
  const service = runningService(context, options);
  const waiting = patience(context.interruption(), options.timeout);
  const query = async <T>(ask: (client: RunningService['client'], options: QueryOptions) => Promise<T>): Promise<T> => {
    const { interrupted, timeout } = waiting;
    const signal = AbortSignal.any([interrupted, timeout.signal]);
    try {
      // If the book is not ready yet, it is requested again after `Retry-After`, until the time is up.
      return await ask(service.client, { signal, retry: { times: timeout.seconds } });
    } catch (error) {
      throw failureOf(error, service, coin, waiting);
    }
  };
  return query(async (client, queryOptions) => {
    const snapshot = await l4BookSnapshot(client, { coin }, queryOptions);
    const { height, epoch, seq } = snapshot;
    const szDecimals = () => query((again, againOptions) => listedSzDecimals(again, coin, againOptions));
    return { position: { coin, height, epoch, seq }, book: bookOf(snapshot), szDecimals, isLotKnown: true };
  });
}

async function listedSzDecimals(
  client: RunningService['client'],
  coin: string,
  options: QueryOptions,
): Promise<number> {
  const dex = coinDex(coin);
  const { universe } = await meta(client, dex === '' ? {} : { dex }, options);
  const asset = universe.find(({ name }) => name === coin);
  if (asset === undefined) throw new CliFailure(`${coin} is not in the service's list of perps.`, EXIT.unavailable);
  return asset.szDecimals;
}

/** The first line of text output: coin, position and the request's parameters. */
export function headLine({ coin, height, seq }: Position, ...parts: readonly string[]): string {
  return [coin, `block ${height}`, `seq ${seq}`, ...parts].join('  ');
}

const KEY_CODES: ReadonlySet<string> = new Set(['unauthorized', 'wrong_credential']);

function failureOf(error: unknown, service: RunningService, coin: string, { interrupted, timeout }: Patience): unknown {
  const { url } = service;
  if (interrupted.aborted) return interruptedFailure();
  if (timeout.signal.aborted) {
    return new CliFailure(`No book of ${coin} within ${timeout.seconds} s.`, EXIT.unavailable, 'timeout');
  }
  if (error instanceof ServiceError) {
    const { code, message } = error;
    if (KEY_CODES.has(code)) return rejectedKey(url, 'credential', message, code);
    if (code === 'credits_exhausted') return rejectedKey(url, 'credits', message);
    return new CliFailure(`${coin}: ${message}`, EXIT.unavailable, code);
  }
  if (error instanceof TransportError) {
    const { code, message } = error;
    return unreachable(service, code === 'network' ? 'no connection' : message, { code, cause: causeText(error) });
  }
  if (error instanceof WireFormatError) {
    const problem = `Invalid response from the service at ${url}: ${error.message}.`;
    return new CliFailure(problem, EXIT.unavailable, error.code);
  }
  return error;
}

/** The message at the end of an error's chain of causes. `fetch` itself says only that it failed. */
function causeText(error: Error): string {
  return error.cause instanceof Error ? causeText(error.cause) : error.message;
}
