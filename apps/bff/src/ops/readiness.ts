import type { Store } from '../accounts/store.ts';
import type { CoinStateName, FeedHealth, L4Feed } from '../upstream/l4/api.ts';
import type { Universe } from '../upstream/universe.ts';

/** One thing the service needs, and why it cannot be used if it cannot. No host name, no secret. */
interface Check {
  readonly status: 'ok' | 'failed';
  readonly problem?: string;
}

/**
 * Whether the service can serve. A joined book that is being rebuilt shows its state and lets the rest be: its callers
 * wait, others do not. Only a pinned one must be live, for the operator asked for it.
 */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'shutting_down';
  readonly database: Check;
  readonly upstreamInfo: Check;
  readonly upstreamL4: Check;
  readonly books: Readonly<Record<string, JoinedBook>>;
}

/** Where a joined book stands. Whoever holds another epoch, or a lower sequence for long, has missed something. */
interface JoinedBook {
  readonly coin: string;
  readonly state: CoinStateName;
  readonly height: number | null;
  readonly epoch: string;
  readonly seq: number;
}

/** A worker that has not reported for so long hangs, and what it said last means nothing. It reports every second. */
const HUNG_AFTER_MS = 4_000;

export interface ReadinessDeps {
  readonly store: Store;
  readonly universe: Universe;
  readonly feed: L4Feed;
  readonly pinnedCoins: readonly string[];
  readonly isClosing: () => boolean;
}

/** Asks every part once. */
export async function readReadiness({
  store,
  universe,
  feed,
  pinnedCoins,
  isClosing,
}: ReadinessDeps): Promise<Readiness> {
  const database = await store.ping().then(
    () => check(null),
    () => check('the database does not answer'),
  );
  const upstreamInfo = check(universe.health().problem);
  const health = feed.health();
  const upstreamL4 = check(l4Problem(health));
  const { epoch } = health;
  const books = new Map(
    health.coins.map(({ coin, state, height, seq }): [string, JoinedBook] => [
      coin,
      { coin, state, height, epoch, seq },
    ]),
  );
  const isReady =
    [database, upstreamInfo, upstreamL4].every(({ status }) => status === 'ok') &&
    pinnedCoins.every((coin) => books.get(coin)?.state === 'live');
  return {
    status: isClosing() ? 'shutting_down' : isReady ? 'ready' : 'not_ready',
    database,
    upstreamInfo,
    upstreamL4,
    books: Object.fromEntries(books),
  };
}

function l4Problem({ ageMs, upstreamConnected, upstreamProblem }: FeedHealth): string | null {
  if (ageMs > HUNG_AFTER_MS) return `the L4 worker has not reported for ${Math.round(ageMs / 1_000)} s`;
  return upstreamConnected ? null : (upstreamProblem ?? 'not connected');
}

function check(problem: string | null): Check {
  return problem === null ? { status: 'ok' } : { status: 'failed', problem };
}
