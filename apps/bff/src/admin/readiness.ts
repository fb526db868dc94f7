import type { SpoolHealth } from '@l4desk/cluster/spool';
import { FEED_SILENT_MS, type FeedHealth, type L4Feed } from '@l4desk/feed';
import { inTime, type Meter, type Store } from '@l4desk/ledger';
import { isStaleUpstream, isSuspect, type Readiness, type SequencerReadiness } from '@l4desk/protocol';
import type { Recordings } from '@l4desk/recording/recorder';
import type { Universe } from '../exchange/universe.ts';

/** A part that takes longer to respond counts as failed, so that `/readyz` responds quickly. */
const RESPONSE_MS_MAX = 2_000;

export interface ReadinessDeps {
  readonly store: Pick<Store, 'ping'>;
  readonly meter: Pick<Meter, 'ping'>;
  readonly spool: (() => Promise<SpoolHealth>) | undefined;
  readonly databaseName: string;
  readonly universe: Pick<Universe, 'problem' | 'classify' | 'isDelisted'>;
  /** Resolves with how far the upstream's state is behind, in ms; null if it does not report that. */
  readonly upstreamLag: () => Promise<number | null>;
  /** The kinds of query that the upstream was found not to serve. */
  readonly notServed: () => readonly string[];
  readonly feed: Pick<L4Feed, 'health'>;
  readonly recordings: Pick<Recordings, 'health'> | undefined;
  readonly pinnedCoins: readonly string[];
  readonly isClosing: () => boolean;
}

/** Checks every part once. */
export async function readReadiness({
  store,
  meter,
  spool: readSpool,
  databaseName,
  universe,
  upstreamLag,
  notServed,
  feed,
  recordings,
  pinnedCoins,
  isClosing,
}: ReadinessDeps): Promise<Readiness> {
  const ledgerState = readLedger(meter, readSpool);
  const [database, ledger, lagMs] = await Promise.all([
    responds(store.ping(), `${databaseName} does not respond`),
    responds(ledgerState, 'charges cannot be written'),
    upstreamLag(),
  ]);
  const spool = ledger.status === 'ok' ? await ledgerState : undefined;
  const isSpooling = spool !== undefined && spool.lostForMs !== null;
  const upstreamInfo = {
    ...check(universe.problem),
    ...(lagMs === null ? {} : { lagMs }),
    ...(notServed().length === 0 ? {} : { notServed: [...notServed()] }),
  };
  const health = feed.health();
  const upstreamL4 = l4Of(health);
  const { cluster } = health;
  const books = booksOf(health);
  const recorded = recordings?.health().coins ?? [];
  const isReady =
    [ledger, upstreamInfo, upstreamL4].every(({ status }) => status === 'ok') &&
    // While charges are spooled, the service works without the database and should stay in the load balancer.
    (database.status === 'ok' || isSpooling) &&
    pinnedCoins.every((coin) => books.get(coin)?.state === 'live' || universe.isDelisted(coin));
  return {
    status: isClosing() ? 'shutting_down' : isReady ? 'ready' : 'not_ready',
    database,
    ledger,
    upstreamInfo,
    ...(cluster === undefined ? {} : { nats: check(cluster.natsProblem), sequencer: check(cluster.leaderProblem) }),
    upstreamL4,
    books: Object.fromEntries(books),
    ...(recorded.length === 0 ? {} : { recordings: [...recorded] }),
    warnings: [
      ...(health.warnings ?? []),
      ...upstreamWarnings(upstreamInfo),
      ...bookless('L4_PINNED_COINS', pinnedCoins, universe),
      ...bookless(
        'RECORD_COINS',
        recorded.map(({ coin }) => coin),
        universe,
      ),
      ...recorded.flatMap(({ coin, problem }) => (problem === null ? [] : [`${coin} is not recorded: ${problem}`])),
      ...(isSpooling ? [`${databaseName} has been away for ${seconds(spool.lostForMs)}; charges are spooled`] : []),
    ],
  };
}

/** Names the coins of a setting that never get a book. */
function bookless(setting: string, coins: readonly string[], universe: ReadinessDeps['universe']): readonly string[] {
  return coins
    .filter((coin) => ['unknown', 'unsupported'].includes(universe.classify(coin)))
    .map((coin) =>
      universe.isDelisted(coin)
        ? `${setting}: ${coin} is delisted and has no book`
        : `${setting}: the exchange has no perp ${coin}; names are case-sensitive`,
    );
}

function upstreamWarnings({ lagMs, notServed }: Readiness['upstreamInfo']): readonly string[] {
  return [
    ...(isStaleUpstream(lagMs)
      ? [`the info API of the upstream is ${seconds(lagMs)} behind: its responses are old`]
      : []),
    ...(notServed === undefined ? [] : [`the upstream does not serve ${notServed.join(', ')}`]),
  ];
}

/** Returns the readiness of a sequencer. A standby is ready if it could take over. */
export function readSequencerReadiness(health: FeedHealth, isClosing: boolean): SequencerReadiness {
  const { cluster } = health;
  const nats = check(cluster?.natsProblem ?? null);
  const upstreamL4 = l4Of(health);
  const isReady = nats.status === 'ok' && upstreamL4.status === 'ok';
  return {
    status: isClosing ? 'shutting_down' : isReady ? 'ready' : 'not_ready',
    role: cluster?.role === 'leader' ? 'leader' : 'standby',
    nats,
    upstreamL4,
    books: Object.fromEntries(booksOf(health)),
    warnings: [...(health.warnings ?? [])],
  };
}

function l4Of(health: FeedHealth): Readiness['upstreamL4'] {
  const { upstreamAgeMs: ageMs, upstreamBlocks: blocks } = health;
  return { ...check(upstreamProblem(health)), state: upstreamState(health), ageMs, blocks };
}

function booksOf({ coins, epoch }: FeedHealth): ReadonlyMap<string, Readiness['books'][string]> {
  return new Map(
    coins.map(({ coin, state, since, reason, height, seq }) => [
      coin,
      { coin, state, since, reason, height, epoch, seq },
    ]),
  );
}

/** Resolves with the state of the spool if charges can be written. */
async function readLedger(
  meter: ReadinessDeps['meter'],
  spool: ReadinessDeps['spool'],
): Promise<SpoolHealth | undefined> {
  await meter.ping?.();
  return spool?.();
}

function responds(response: Promise<unknown>, problem: string): Promise<Readiness['database']> {
  return inTime(response, RESPONSE_MS_MAX).then(
    () => check(null),
    () => check(problem),
  );
}

function seconds(ms: number | null): string {
  return `${Math.round((ms ?? 0) / 1000)} s`;
}

function check(problem: string | null): Readiness['database'] {
  return problem === null ? { status: 'ok' } : { status: 'failed', problem };
}

/** Why the order-level upstream cannot be used; null if it can. */
function upstreamProblem({ ageMs, upstreamConnected, upstreamProblem: problem }: FeedHealth): string | null {
  if (ageMs > FEED_SILENT_MS) return `the L4 worker has not reported for ${Math.round(ageMs / 1_000)} s`;
  return upstreamConnected ? null : (problem ?? 'not connected');
}

/** `stale` while the books may be outdated: the upstream is disconnected, or silent for longer than is usual. */
export function upstreamState(health: FeedHealth): 'live' | 'stale' {
  const { upstreamBlocks: blocks } = health;
  return upstreamProblem(health) !== null || (blocks !== null && isSuspect(blocks)) ? 'stale' : 'live';
}
