import type { CoinView, FollowEvent, Follower } from '@l4desk/client';
import { Command, Option } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, EXIT } from './outcome.ts';
import { Screen } from './screen.ts';
import {
  coinsArgument,
  type Following,
  following,
  liveBook,
  type Patience,
  patience,
  runningService,
  type ServiceOptions,
  wholeArgument,
  withServiceOptions,
} from './service.ts';
import { coinJson, coinLine, coinTable, type Verified, verifiedText } from './tail-text.ts';

interface TailOptions extends ServiceOptions {
  readonly levels: number;
  readonly verifyEvery: number;
  readonly timeout: number;
  readonly blocks?: number;
  readonly once?: true;
}

/**
 * `tail`: live books in the terminal, compared with fresh snapshots. On a terminal they are redrawn in place. Otherwise
 * every change is a line, with `--json` a JSON document per line. With `--once` the output is one document.
 */
export function tailCommand(context: CliContext): Command {
  const command = new Command('tail')
    .description('show books as they change, and verify them')
    .argument('<coins...>', 'perp coins, separated by spaces or commas', coinsArgument)
    .option('--levels <n>', 'price levels per side', wholeArgument(1, 1_000), 10)
    .option('--verify-every <seconds>', 'how often a book is compared; 1 credit each', wholeArgument(1, 86_400), 60)
    .option('--blocks <n>', 'exit after this many blocks, of all coins together', wholeArgument(1, 999_999_999))
    .addOption(new Option('--once', 'exit after the first verified book of each coin').conflicts('blocks'))
    .option('--timeout <seconds>', 'with --once: how long to wait', wholeArgument(1, 3_600), 30)
    .addHelpText(
      'after',
      '\nWith --json every change is one line with one JSON document; with --once the output is one document.',
    );
  return withServiceOptions(command).action((coins: readonly string[], options: TailOptions) =>
    options.once ? tailOnce(context, coins, options) : tail(context, coins, options),
  );
}

/** Compares followed books with fresh snapshots again and again, and keeps the latest result of each. */
class Comparisons {
  readonly #every: number;
  readonly #now: () => number;
  readonly #startedAt = new Map<string, number>();
  readonly #outcomes = new Map<string, Verified>();

  constructor(everySeconds: number, now: () => number) {
    this.#every = everySeconds * 1_000;
    this.#now = now;
  }

  of(coin: string): Verified {
    return this.#outcomes.get(coin);
  }

  /** Compares a coin's book if it is live and a comparison is due. Calls `done` when the comparison ends. */
  ifDue(follower: Follower, coin: string, done: () => void): void {
    const started = this.#startedAt.get(coin);
    if (follower.coin(coin)?.state.kind !== 'live') return;
    if (started !== undefined && this.#now() - started < this.#every) return;
    this.#startedAt.set(coin, this.#now());
    void this.#compare(follower, coin, done);
  }

  async #compare(follower: Follower, coin: string, done: () => void): Promise<void> {
    const outcome = await compare(follower, coin);
    if (outcome === undefined) {
      // Nothing was compared, so the next live book will be.
      this.#startedAt.delete(coin);
      return;
    }
    this.#outcomes.set(coin, outcome);
    done();
  }
}

/** The result of a comparison; undefined if the book stopped being live before it could be compared. */
async function compare(follower: Follower, coin: string): Promise<Verified> {
  try {
    const verification = await follower.verify(coin);
    if (verification.kind === 'abandoned') return undefined;
    const { kind, height } = verification;
    return kind === 'equal' ? { kind, height } : { kind, height, detail: verification.detail };
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function tail(context: CliContext, coins: readonly string[], options: TailOptions): Promise<void> {
  const { out, wantsJson, terminal } = context;
  const { levels, blocks = Number.POSITIVE_INFINITY } = options;
  const comparisons = new Comparisons(options.verifyEvery, context.now);
  const views: Map<string, CoinView> = new Map();
  const drawn = !wantsJson() && terminal() !== undefined;
  using screen = drawn
    ? new Screen(out, terminal, (rows) => {
        const each = Math.floor((rows - 1) / coins.length) - 3;
        const shown = [...views.values()];
        return shown.flatMap((view) => [
          ...coinTable(view, Math.max(1, Math.min(levels, each)), comparisons.of(view.coin)),
          '',
        ]);
      })
    : undefined;
  const lines = new Map<string, string>();
  let blocksLeft = blocks;
  let ended = false;

  const show = (follower: Follower, coin: string) => {
    const view = follower.coin(coin);
    if (view === undefined || ended || blocksLeft < 0) return;
    views.set(coin, view);
    if (screen !== undefined) {
      screen.changed();
      return;
    }
    const verified = comparisons.of(coin);
    const line = wantsJson() ? JSON.stringify(coinJson(view, levels, verified)) : coinLine(view, verified);
    // Several events can arrive together, and each sees the coin's state after the last one.
    if (lines.get(coin) !== line) out(`${line}\n`);
    lines.set(coin, line);
  };
  const onEvent = (event: FollowEvent, follower: Follower) => {
    if (event.kind !== 'block' && event.kind !== 'state') return;
    // A refused coin ends the command with a message of its own.
    if (event.kind === 'state' && event.state.reason === 'refused') return;
    const { coin } = event;
    if (event.kind === 'block') blocksLeft -= 1;
    show(follower, coin);
    comparisons.ifDue(follower, coin, () => show(follower, coin));
  };
  const interrupted = context.interruption();
  await following(runningService(context, options), coins, onEvent, async ({ until }) => {
    try {
      await until(() => blocksLeft <= 0, interrupted);
    } catch (reason) {
      // The user interrupted the command, which is its normal end.
      if (!interrupted.aborted) throw reason;
    } finally {
      ended = true;
    }
  });
}

async function tailOnce(context: CliContext, coins: readonly string[], options: TailOptions): Promise<void> {
  const waiting = patience(context.interruption(), options.timeout);
  const found = await following(
    runningService(context, options),
    coins,
    () => {},
    async (live) => Promise.all(coins.map((coin) => verifiedCoin(live, coin, options.levels, waiting))),
  );
  context.print(
    found.map(({ json }) => json),
    found.flatMap(({ lines }) => [...lines, '']),
  );
  for (const { json, verified } of found) {
    if (verified?.kind === 'different') throw new CliFailure(`${json.coin}: ${verifiedText(verified)}`);
    if (verified?.kind === 'failed') throw new CliFailure(`${json.coin}: ${verifiedText(verified)}`, EXIT.unavailable);
  }
}

/** The first book of a coin that was successfully compared with a fresh snapshot. */
async function verifiedCoin(live: Following, coin: string, levels: number, waiting: Patience) {
  // Loop "verified": ends with a comparison, or in `liveBook` when the time is up.
  for (;;) {
    await liveBook(live, coin, waiting);
    const verified = await compare(live.follower, coin);
    const view = live.follower.coin(coin);
    if (verified === undefined || view === undefined) continue;
    return { verified, json: coinJson(view, levels, verified), lines: coinTable(view, levels, verified) };
  }
}
