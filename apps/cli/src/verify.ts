import { setTimeout as sleep } from 'node:timers/promises';
import { z } from '@l4desk/protocol';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, EXIT, interruptedFailure } from './outcome.ts';
import {
  coinsArgument,
  type Following,
  following,
  liveBook,
  type Patience,
  patience,
  type RunningService,
  runningService,
  type ServiceOptions,
  wholeArgument,
  withServiceOptions,
} from './service.ts';

interface VerifyOptions extends ServiceOptions {
  readonly seconds: number;
  readonly timeout: number;
}

/** The result for one coin. */
type Verdict = { readonly coin: string } & (
  | (Compared & { readonly verdict: 'equal'; readonly orders: number })
  | (Compared & { readonly verdict: 'different'; readonly detail: string })
  | { readonly verdict: 'not compared'; readonly detail: string }
);

interface Compared {
  readonly height: number;
  readonly seq: number;
  readonly gaps: number;
}

/**
 * `verify`: follows books for a while and compares each with a fresh snapshot, order by order, queue order included.
 * Exit code 0 when all are equal, 1 when one differs, 3 when one could not be compared.
 */
export function verifyCommand(context: CliContext): Command {
  const command = new Command('verify')
    .description('compare live books with fresh snapshots, order by order')
    .argument(
      '[coins...]',
      'perp coins, separated by spaces or commas; default: all that the service has joined',
      coinsArgument,
    )
    .option('--seconds <n>', 'how long to follow before comparing', wholeArgument(0, 86_400), 5)
    .option('--timeout <seconds>', 'how long to wait for a live book', wholeArgument(1, 3_600), 30)
    .addHelpText(
      'after',
      '\nExit code: 0 equal, 1 different, 3 not compared. Costs 2 credits per coin, and 1 more per started minute.',
    );
  return withServiceOptions(command).action(async (named: readonly string[], options: VerifyOptions) => {
    const service = runningService(context, options);
    const coins = named.length === 0 ? await joinedCoins(service) : named;
    const interrupted = context.interruption();
    const waiting = () => patience(interrupted, options.timeout);
    const verdicts = await following(
      service,
      coins,
      () => {},
      async (live) => {
        for (const coin of coins) await liveBook(live, coin, waiting());
        await pause(options.seconds, interrupted);
        const found: Verdict[] = [];
        for (const coin of coins) found.push(await compare(live, coin, waiting()));
        return found;
      },
    );
    context.print(verdicts, verdicts.map(verdictLine));
    const worst = (verdict: Verdict['verdict']) =>
      verdicts.filter((item) => item.verdict === verdict).map(({ coin }) => coin);
    const [different, missing] = [worst('different'), worst('not compared')];
    if (different.length > 0) throw new CliFailure(`Different: ${different.join(', ')}.`);
    if (missing.length > 0) throw new CliFailure(`Not compared: ${missing.join(', ')}.`, EXIT.unavailable);
  });
}

async function pause(seconds: number, interrupted: AbortSignal): Promise<void> {
  try {
    await sleep(seconds * 1_000, undefined, { signal: interrupted });
  } catch {
    throw interruptedFailure();
  }
}

/** Waits for the book first: one that is being rebuilt becomes live again shortly, and only a live book can be compared. */
async function compare(live: Following, coin: string, waiting: Patience): Promise<Verdict> {
  const { follower } = live;
  try {
    await liveBook(live, coin, waiting);
    const verification = await follower.verify(coin, { signal: waiting.interrupted });
    const { gaps = 0, book } = follower.coin(coin) ?? {};
    if (verification.kind === 'abandoned') return { coin, verdict: 'not compared', detail: verification.state.detail };
    const { height, seq } = verification;
    return verification.kind === 'equal'
      ? { coin, verdict: 'equal', height, seq, gaps, orders: book?.orderCount ?? 0 }
      : { coin, verdict: 'different', height, seq, gaps, detail: verification.detail };
  } catch (error) {
    return { coin, verdict: 'not compared', detail: error instanceof Error ? error.message : String(error) };
  }
}

function verdictLine(item: Verdict): string {
  switch (item.verdict) {
    case 'equal':
      return `${item.coin}  equal at block ${item.height}, seq ${item.seq}: ${item.orders} orders, gaps ${item.gaps}`;
    case 'different':
      return `${item.coin}  DIFFERENT at block ${item.height}, seq ${item.seq}: ${item.detail}`;
    case 'not compared':
      return `${item.coin}  not compared: ${item.detail}`;
  }
}

const joined = z.object({ books: z.record(z.string(), z.unknown()) });

/** The coins whose books the service currently holds. */
async function joinedCoins({ url }: RunningService): Promise<readonly string[]> {
  let coins: readonly string[];
  try {
    const response = await fetch(`${url}/readyz`);
    coins = Object.keys(joined.parse(await response.json()).books);
  } catch {
    throw new CliFailure(
      `The service at ${url} did not report its joined coins: name the coins to verify.`,
      EXIT.unavailable,
    );
  }
  if (coins.length === 0)
    throw new CliFailure('The service has not joined any coin: name the coins to verify.', EXIT.unavailable);
  return coins;
}
