import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { coinDex, coinMarket, fits, z } from '@l4desk/protocol';
import { type MetaAsset, metaAsset } from '@l4desk/protocol/upstream';
import { backoffMs } from '@l4desk/runtime';
import type { Logger } from '../log/log.ts';
import type { AskOptions, InfoClient, UpstreamRequest } from './info-client.ts';
import type { UpstreamResponse } from './response.ts';
import { UpstreamError } from './upstream-error.ts';

/** Classification of a coin name (SNAP-14, SNAP-15). `not-loaded`: the list that would contain it has never been loaded. */
export type CoinClass = 'served' | 'unknown' | 'unsupported' | 'not-loaded';

export type CoinUniverse = Pick<Universe, 'isLoaded' | 'classify'>;

export interface UniverseOptions {
  readonly info: InfoClient;
  readonly log: Logger;
  /** Default: a minute (D13). */
  readonly refreshMs?: number | undefined;
  readonly random?: () => number;
  /** Any monotonic clock, in ms. */
  readonly now?: () => number;
}

const REFRESH_MS = 60_000;

/** Delay of the first retry after a failure. It doubles each time, up to the refresh interval. */
const RETRY_MS_MIN = 500;

/** The canonical list is stale once its last successful load is this many refresh intervals old. */
const STALE_REFRESHES = 3;

/** After this many attempts, builder dexes that still fail only delay queries for their own coins. */
const PATIENT_READINGS = 3;

/** Dex names loaded this recently are not reloaded for an unknown dex, because queries for unknown dexes are free. */
const DEX_NAMES_FRESH_MS = 10_000;

/** Shares of the upstream's weight that the lists may use (D65): on average, and in the first minute. */
const AVERAGE_SHARE = 0.1;
const MINUTE_SHARE = 0.25;

/** The share of the first load. The rest of its minute is left for dexes that a call needs. */
const FIRST_SHARE = 0.15;

/** A dex whose coins were asked for this recently is in use. */
const IN_USE_MS = 600_000;

/** How long an upstream that refused `allPerpMetas` is not asked for it again. */
const ALL_METAS_PAUSE_MS = 3_600_000;

/** How long a dex that no readable row names is kept after its list was last loaded. */
const UNNAMED_MS = 3_600_000;

const NEVER = Number.NEGATIVE_INFINITY;

const NOT_READ = 'meta: not loaded yet';
const BUILDERS_NOT_READ = 'meta of builder dexes: not loaded yet';

type Assets = ReadonlyMap<string, MetaAsset>;

/** What is known of a dex. Times are on the monotonic clock. */
interface Dex {
  /** Its list in the exchange's order; undefined if never loaded. */
  assets: Assets | undefined;
  loadedAt: number;
  /** When its coins were last asked for. */
  askedAt: number;
  isLoading: boolean;
}

const newDex = (): Dex => ({ assets: undefined, loadedAt: NEVER, askedAt: NEVER, isLoading: false });

/**
 * The perp coins that upstream trades, from its `meta` and the lists of the builder dexes: loaded at once and then every
 * minute, where the weight allows, until disposed (SNAP-16, UP-52). A list that fails to load keeps its last good state.
 */
export class Universe implements AsyncDisposable {
  readonly #options: UniverseOptions;
  readonly #refreshMs: number;
  readonly #end = new AbortController();
  readonly #loop: Promise<void>;
  readonly #canonical = newDex();
  /** By name in the exchange's order; the canonical dex has the empty name. */
  #dexs = new Map<string, Dex>([['', this.#canonical]]);
  #dexNamesReadAt = NEVER;
  /** Problems of the last load: with any list, and with the canonical one. */
  #problem: string | null = NOT_READ;
  #canonicalProblem: string | null = NOT_READ;
  #readings = 0;
  #allMetasFrom = NEVER;
  /** Whether the builder dexes are loaded in turn, a few each time. */
  #isInTurn = false;
  /** Weight used, less what the average share allowed since. */
  #spent = 0;
  #waitMs: number;
  readonly #lists = new EventEmitter().setMaxListeners(0);

  constructor(options: UniverseOptions) {
    this.#options = options;
    this.#refreshMs = options.refreshMs ?? REFRESH_MS;
    this.#waitMs = this.#refreshMs;
    this.#reserve();
    this.#loop = this.#run();
  }

  /** Whether every list has been loaded once. Builder dexes that cannot be loaded are waited for only a few attempts. */
  get isLoaded(): boolean {
    if (this.#canonical.assets === undefined) return false;
    if (this.#readings >= PATIENT_READINGS || this.#isInTurn) return true;
    return this.#dexNamesReadAt > NEVER && [...this.#dexs.values()].every(({ assets }) => assets !== undefined);
  }

  /** A spot or outcome name is `unsupported` by its format. A delisted coin is `unknown`: it has no book. */
  classify(coin: string): CoinClass {
    if (coinMarket(coin) !== 'perp') return 'unsupported';
    const dex = this.#dexs.get(coinDex(coin));
    if (dex === undefined) return this.#dexNamesReadAt > NEVER ? 'unknown' : 'not-loaded';
    dex.askedAt = this.#now();
    if (dex.assets === undefined) return 'not-loaded';
    return isTraded(dex.assets.get(coin)) ? 'served' : 'unknown';
  }

  /** Whether the coin is listed but no longer traded: it still has funding, but no book (D51). */
  isDelisted(coin: string): boolean {
    return this.#dexs.get(coinDex(coin))?.assets?.get(coin)?.isDelisted === true;
  }

  /** Whether the exchange has this builder dex. The names are loaded again for an unknown one (INFO-33). */
  async hasDex(name: string, options: AskOptions): Promise<boolean> {
    if (!this.#dexs.has(name) && this.#now() - this.#dexNamesReadAt >= DEX_NAMES_FRESH_MS)
      this.#takeDexNames(await this.#options.info.ask(DEX_NAMES_REQUEST, options));
    return this.#dexs.has(name);
  }

  /** Like `classify`, but waits for a list that was never loaded until the signal aborts. */
  async classifyWhenLoaded(coin: string, signal: AbortSignal): Promise<CoinClass> {
    const dex = coinDex(coin);
    let found = this.classify(coin);
    let isAskedFor = false;
    while (found === 'not-loaded' && !signal.aborted) {
      // The names of the dexes may come only while this call waits.
      if (!isAskedFor && this.#dexs.has(dex)) {
        this.#loadNow(dex);
        isAskedFor = true;
      }
      await once(this.#lists, 'read', { signal }).catch(() => {});
      found = this.classify(coin);
    }
    return found;
  }

  /** The traded coins: the canonical dex first, each dex in its own order. */
  coins(): readonly MetaAsset[] {
    return [...this.#dexs.values()].flatMap(({ assets }) => [...(assets?.values() ?? [])]).filter(isTraded);
  }

  /** Why the lists cannot be used, without host names; null if all are loaded and the canonical one is recent enough. */
  get problem(): string | null {
    const isRecent = this.#now() - this.#canonical.loadedAt <= STALE_REFRESHES * this.#waitMs;
    if (!isRecent) return this.#canonicalProblem;
    return this.isLoaded ? null : BUILDERS_NOT_READ;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#loop;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** Runs until the service ends. It waits between loads, longer after each failure, so it cannot spin. */
  async #run(): Promise<void> {
    const { random = Math.random, log } = this.#options;
    const refreshMs = this.#refreshMs;
    let failures = 0;
    while (!this.#end.signal.aborted) {
      const before = this.#problem;
      await this.#read();
      if (this.#end.signal.aborted) return;
      failures = this.#problem === null ? 0 : failures + 1;
      if (this.#problem !== before) {
        if (this.#problem !== null) log.warn({ problem: this.#problem }, 'loading the list of coins failed');
        else log.info({ coins: this.coins().length, dexs: this.#dexs.size }, 'list of coins loaded');
      }
      const backoff = { firstMs: RETRY_MS_MIN, longestMs: refreshMs };
      const weight = this.#averageWeight;
      this.#waitMs = weight === undefined ? refreshMs : Math.max(refreshMs, (60_000 * this.#spent) / weight);
      const wait = failures === 0 ? this.#waitMs : backoffMs(failures, backoff, random);
      await sleep(wait, undefined, { signal: this.#end.signal }).catch(() => {});
      this.#spent = Math.max(0, this.#spent - ((weight ?? Number.POSITIVE_INFINITY) * wait) / 60_000);
    }
  }

  /** The weight that the lists may use a minute on average; undefined if the upstream does not count weight. */
  get #averageWeight(): number | undefined {
    const { weightPerMinute } = this.#options.info;
    return weightPerMinute === undefined ? undefined : AVERAGE_SHARE * weightPerMinute;
  }

  /** Reserves weight for what must be loaded each time, so that a flood of queries cannot make the lists stale (UP-25). */
  #reserve(): void {
    const { info } = this.#options;
    const builders = this.#dexs.size > 1 ? [ALL_METAS_REQUEST] : [];
    const requests = [DEX_NAMES_REQUEST, metaRequest(''), ...builders];
    const affordable = (this.#averageWeight ?? Number.POSITIVE_INFINITY) / (META_WEIGHT * requests.length);
    info.reserve(requests, Math.max(1, Math.min(60_000 / this.#refreshMs, affordable)));
  }

  /** Loads every list once. Builder dexes are loaded concurrently; one that fails keeps its last good state. */
  async #read(): Promise<void> {
    const [canonical, builders] = await Promise.all([this.#readDex(''), this.#readBuilderDexs()]);
    this.#canonicalProblem = canonical;
    this.#problem = canonical ?? builders;
    this.#readings += 1;
  }

  async #readBuilderDexs(): Promise<string | null> {
    const names = await this.#readDexNames();
    if (typeof names === 'string') return names;
    if (names.length > 1 && (await this.#readAllDexs())) return null;
    const next = this.#nextDexs(names);
    this.#isInTurn = next.length < names.filter((name) => this.#dexs.get(name)?.assets === undefined).length;
    const problems = await Promise.all(next.map((name) => this.#readDex(name)));
    return problems.find((problem) => problem !== null) ?? null;
  }

  /** Loads the lists of all builder dexes in one call. Resolves with whether the upstream serves it. */
  async #readAllDexs(): Promise<boolean> {
    if (this.#now() < this.#allMetasFrom) return false;
    const problem = await this.#attempt(ALL_METAS_REQUEST, (response) => {
      const metas = decoded(assetLists, response);
      const assets = fitting(
        metaAsset,
        metas.flatMap((each) => each?.universe ?? []),
      );
      for (const [name, dex] of this.#dexs) {
        const ofDex = assetsByName(assets, name);
        // Coins are delisted, never removed: a dex without any was left out or is unreadable, and keeps its last good state.
        const isEmpty = dex.assets === undefined && metas.length >= this.#dexs.size;
        if (name !== '' && (ofDex.size > 0 || isEmpty)) this.#take(name, ofDex);
      }
      return null;
    });
    if (problem !== null) this.#allMetasFrom = this.#now() + ALL_METAS_PAUSE_MS;
    return problem === null;
  }

  /** The dexes to load next, as many as the weight allows: those in use first, then those that were loaded longest ago. */
  #nextDexs(names: readonly string[]): readonly string[] {
    const { weightPerMinute } = this.#options.info;
    if (weightPerMinute === undefined) return names;
    const now = this.#now();
    const due = names.flatMap((name) => {
      const { askedAt, loadedAt } = this.#dexs.get(name) ?? newDex();
      return now - loadedAt < this.#refreshMs ? [] : [{ name, isUsed: now - askedAt <= IN_USE_MS, loadedAt }];
    });
    // Those never loaded have no difference between their times.
    due.sort((a, b) => Number(b.isUsed) - Number(a.isUsed) || a.loadedAt - b.loadedAt || 0);
    const minutes = Math.max(1, this.#refreshMs / 60_000);
    const share = this.#readings === 0 ? FIRST_SHARE : AVERAGE_SHARE * minutes;
    const weight = share * weightPerMinute - this.#spent - META_WEIGHT;
    return due.slice(0, Math.max(1, Math.floor(weight / META_WEIGHT))).map(({ name }) => name);
  }

  /** Loads a dex that a call needs, if the weight of this minute allows. */
  #loadNow(dex: string): void {
    const { weightPerMinute = Number.POSITIVE_INFINITY } = this.#options.info;
    const isIdle = dex !== '' && this.#dexs.get(dex)?.isLoading === false;
    if (isIdle && this.#spent + META_WEIGHT <= MINUTE_SHARE * weightPerMinute) void this.#readDex(dex);
  }

  async #readDexNames(): Promise<readonly string[] | string> {
    return this.#attempt(DEX_NAMES_REQUEST, (response) => this.#takeDexNames(response));
  }

  /** Takes the names of the builder dexes and returns them. Throws UpstreamError. */
  #takeDexNames(response: UpstreamResponse): readonly string[] {
    const rows = response.rows().filter((dex) => dex !== null);
    const readable = fitting(perpDex, rows);
    // A row that was left out may be any dex that is known, so these stay while their own lists still load.
    const known = readable.length < rows.length ? this.#loadedDexs() : [];
    // The canonical dex has no name: it is null, or has an empty one.
    const names = [...new Set([...known, ...readable.map(({ name }) => name)])].filter((name) => name !== '');
    this.#dexs = new Map(['', ...names].map((name) => [name, this.#dexs.get(name) ?? newDex()]));
    this.#dexNamesReadAt = this.#now();
    this.#reserve();
    this.#lists.emit('read');
    return names;
  }

  #loadedDexs(): readonly string[] {
    const since = this.#now() - UNNAMED_MS;
    return [...this.#dexs].flatMap(([name, { loadedAt }]) => (loadedAt >= since ? [name] : []));
  }

  async #readDex(name: string): Promise<string | null> {
    const dex = this.#dexs.get(name) ?? newDex();
    dex.isLoading = true;
    const problem = await this.#attempt(metaRequest(name), (response) => {
      this.#take(name, assetsByName(fitting(metaAsset, decoded(assetList, response).universe), name));
      return null;
    });
    dex.isLoading = false;
    return problem;
  }

  #take(name: string, assets: Assets): void {
    const dex = this.#dexs.get(name);
    // It was removed from the exchange during the request.
    if (dex === undefined) return;
    dex.assets = assets;
    dex.loadedAt = this.#now();
    this.#lists.emit('read');
  }

  /** Makes a request and passes the response to `take`. Resolves with what `take` returns, or with the problem. */
  async #attempt<T>(request: UpstreamRequest, take: (response: UpstreamResponse) => T): Promise<T | string> {
    this.#spent += META_WEIGHT;
    try {
      return take(await this.#options.info.ask(request, { signal: this.#end.signal }));
    } catch (error) {
      if (error instanceof UpstreamError) return `${request.type}: ${error.message}`;
      if (this.#end.signal.aborted) return 'the service ends';
      throw error;
    }
  }
}

/** The weight of each call for a list. */
const META_WEIGHT = 20;

const ALL_METAS_REQUEST = { type: 'allPerpMetas' } as const satisfies UpstreamRequest;

const DEX_NAMES_REQUEST = { type: 'perpDexs' } as const satisfies UpstreamRequest;

const perpDex = z.looseObject({ name: z.string() });

/** The responses of `meta` and `allPerpMetas`, whose assets are read one by one. */
const assetList = z.looseObject({ universe: z.array(z.unknown()) });
const assetLists = z.array(assetList.nullable());

function decoded<T>(schema: z.ZodType<T>, response: UpstreamResponse): T {
  const value = response.json();
  if (!fits(schema, value)) throw unexpectedShape();
  return value;
}

/** The rows that fit the schema. One of an unexpected shape is left out; if all are, so is the list (UP-53). */
function fitting<T>(schema: z.ZodType<T>, rows: readonly unknown[]): readonly T[] {
  const known = rows.filter((row) => fits(schema, row));
  if (known.length === 0 && rows.length > 0) throw unexpectedShape();
  return known;
}

function unexpectedShape(): UpstreamError {
  return new UpstreamError({ kind: 'unusable', problem: 'a response of an unexpected shape' });
}

function metaRequest(dex: string): UpstreamRequest {
  return dex === '' ? { type: 'meta' } : { type: 'meta', dex };
}

function isTraded(asset: MetaAsset | undefined): boolean {
  return asset !== undefined && asset.isDelisted !== true;
}

/** Assets by name. Coins that belong to another dex are dropped. */
function assetsByName(assets: readonly MetaAsset[], dex: string): Assets {
  return new Map(assets.filter(({ name }) => coinDex(name) === dex).map((asset) => [asset.name, asset]));
}
