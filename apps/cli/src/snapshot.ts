import {
  bookOf,
  l4BookSnapshot,
  type QueryOptions,
  ServiceError,
  TransportError,
  WireFormatError,
} from '@l4desk/client';
import { type DecimalString, isDecimalString, z } from '@l4desk/protocol';
import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { argument, CliFailure, EXIT } from './outcome.ts';
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

/** The options of a command that works on one fresh snapshot. */
export interface SnapshotOptions extends ServiceOptions {
  readonly coin: string;
  readonly timeout: number;
}

/** Adds `--coin`, `--timeout` and those that name the service. */
export function withSnapshotOptions(command: Command): Command {
  return withServiceOptions(
    command
      .requiredOption('--coin <coin>', 'perp coin; case-sensitive')
      .option('--timeout <seconds>', 'how long to wait for the book', wholeArgument(1, 3_600), 30),
  );
}

/** A decimal from zero as an argument; it stays text. */
export const amountArgument = argument(
  z
    .string()
    .refine(
      (text): text is DecimalString => isDecimalString(text) && !text.startsWith('-'),
      'must be a plain decimal from 0, such as 10 or 0.25',
    ),
);

/** Where a snapshot stands in the stream: the first fields of every answer. */
export interface Position {
  readonly coin: string;
  readonly height: number;
  readonly epoch: string;
  readonly seq: number;
}

/** A fresh book of the service. */
export interface FreshBook {
  readonly position: Position;
  readonly book: ReturnType<typeof bookOf>;
  /** Makes another call to the same service, within the same time. */
  readonly query: <T>(ask: (client: RunningService['client'], options: QueryOptions) => Promise<T>) => Promise<T>;
}

/** Fetches a fresh snapshot and builds its book. Throws CliFailure, in one sentence, for what waiting does not mend. */
export async function freshBook(context: CliContext, options: SnapshotOptions): Promise<FreshBook> {
  const service = runningService(context, options);
  const waiting = patience(context.interruption(), options.timeout);
  const query: FreshBook['query'] = async (ask) => {
    const { interrupted, timeout } = waiting;
    const signal = AbortSignal.any([interrupted, timeout.signal]);
    try {
      // A book that is not ready yet is fetched again after `Retry-After`, until the time is up.
      return await ask(service.client, { signal, retry: { times: timeout.seconds } });
    } catch (error) {
      throw failureOf(error, service, options.coin, waiting);
    }
  };
  return query(async (client, queryOptions) => {
    const snapshot = await l4BookSnapshot(client, { coin: options.coin }, queryOptions);
    const { coin, height, epoch, seq } = snapshot;
    return { position: { coin, height, epoch, seq }, book: bookOf(snapshot), query };
  });
}

/** The first line for people: coin, position, and what was asked. */
export function headLine({ coin, height, seq }: Position, ...parts: readonly string[]): string {
  return [coin, `block ${height}`, `seq ${seq}`, ...parts].join('  ');
}

const KEY_CODES: ReadonlySet<string> = new Set(['unauthorized', 'wrong_credential']);

function failureOf(error: unknown, service: RunningService, coin: string, { interrupted, timeout }: Patience): unknown {
  const { url } = service;
  if (interrupted.aborted) return new CliFailure('Interrupted.', EXIT.usage);
  if (timeout.signal.aborted) {
    return new CliFailure(`No book of ${coin} within ${timeout.seconds} s.`, EXIT.usage);
  }
  if (error instanceof ServiceError) {
    if (KEY_CODES.has(error.code)) return new CliFailure(rejectedKey(url, 'credential', error.message), EXIT.usage);
    if (error.code === 'credits_exhausted') {
      return new CliFailure(rejectedKey(url, 'credits', error.message), EXIT.usage);
    }
    return new CliFailure(`${coin}: ${error.message}`, EXIT.usage);
  }
  if (error instanceof TransportError) {
    const why = error.code === 'network' ? 'no connection' : error.message;
    return new CliFailure(unreachable(service, why), EXIT.usage);
  }
  if (error instanceof WireFormatError) {
    return new CliFailure(`Invalid response from the service at ${url}: ${error.message}.`, EXIT.usage);
  }
  return error;
}
