import { isWildcard, type Variables, variableOf } from '@l4desk/ledger';
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings, settingOf } from './settings.ts';

/** What is wrong with one setting; the value itself is left out, for it may be a secret. */
export interface SettingProblem {
  readonly name: SettingName;
  readonly problem: string;
  readonly example: string;
}

export type SettingsResult =
  | { readonly kind: 'settings'; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly SettingProblem[] };

/**
 * Reads the settings from the environment and, after it, the variables of a `.env` file. All problems are found at
 * once. An empty variable is one that is not set.
 */
export function readSettings(environment: Variables, envFile: Variables = {}): SettingsResult {
  const problems: SettingProblem[] = [];
  const values = new Map<SettingName, unknown>();
  const given = new Set<SettingName>();
  for (const name of SETTING_NAMES) {
    const { schema, fallback, example } = settingOf(name);
    const raw = variableOf(name, environment, envFile);
    if (raw !== undefined) given.add(name);
    const written = raw ?? fallback;
    if (written === undefined) {
      values.set(name, undefined);
      continue;
    }
    const result = schema.safeParse(written);
    if (result.success) values.set(name, result.data);
    else problems.push({ name, problem: result.error.issues[0]?.message ?? 'is invalid', example });
  }
  if (problems.length > 0) return { kind: 'problems', problems };
  const settings = Object.fromEntries(values) as Settings;
  const missing = missingTogether(settings);
  if (missing.length > 0) return { kind: 'problems', problems: missing };
  return {
    kind: 'settings',
    settings,
    warnings: [...idleSettings(settings, given), ...namelessHost(settings), ...unknownVariables(environment, envFile)],
  };
}

/** The settings that each upstream requires. */
const UPSTREAM_NEEDS = {
  sim: [],
  exchange: ['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL'],
  service: ['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL', 'UPSTREAM_API_KEY'],
} as const satisfies Record<Settings['UPSTREAM'], readonly SettingName[]>;

/** The same where the books come from a node's files. */
const NODE_NEEDS = ['UPSTREAM_INFO_URL', 'NODE_DATA_DIR', 'NODE_INFO_URL'] as const satisfies readonly SettingName[];

/** What the roles of a cluster require besides. */
const ROLE_NEEDS = {
  all: [],
  sequencer: ['NATS_URL'],
  gateway: ['NATS_URL', 'DATABASE_URL'],
} as const satisfies Record<Settings['ROLE'], readonly SettingName[]>;

/** Addresses that the simulated exchange takes the place of. */
const OF_EXCHANGE: ReadonlySet<SettingName> = new Set(['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL', 'UPSTREAM_WS_URL']);

/** Settings that a sequencer does without: it asks the exchange nothing. A hosted service sends snapshots only as responses. */
const OF_QUERIES: ReadonlySet<SettingName> = new Set(['UPSTREAM_INFO_URL']);

/** Settings that only the role which follows the upstream's books needs. */
const OF_BOOKS: ReadonlySet<SettingName> = new Set(['UPSTREAM_L4_URL', 'NODE_DATA_DIR', 'NODE_INFO_URL']);

/** Settings that another setting requires. */
function missingTogether(settings: Settings): SettingProblem[] {
  const { ROLE, UPSTREAM } = settings;
  const usesNode = readsNodeFiles(settings);
  const ofUpstream: readonly SettingName[] = usesNode ? NODE_NEEDS : UPSTREAM_NEEDS[UPSTREAM];
  const by = usesNode ? 'L4_SOURCE=node' : `UPSTREAM=${UPSTREAM}`;
  const isAskingNothing = ROLE === 'sequencer' && UPSTREAM === 'exchange';
  const missing = (names: readonly SettingName[], reason: string) =>
    names
      .filter((name) => settings[name] === undefined)
      .map((name) => ({ name, problem: `is required with ${reason}`, example: SETTINGS[name].example }));
  const problems = [
    ...missing(ROLE_NEEDS[ROLE], `ROLE=${ROLE}`),
    ...missing(
      ofUpstream.filter(
        (name) => !(ROLE === 'gateway' && OF_BOOKS.has(name)) && !(isAskingNothing && OF_QUERIES.has(name)),
      ),
      by,
    ),
  ];
  // Each process would start an exchange of its own, and no two are the same market.
  if (ROLE !== 'all' && UPSTREAM === 'sim')
    problems.push({ name: 'UPSTREAM', problem: `cannot be sim with ROLE=${ROLE}`, example: SETTINGS.UPSTREAM.example });
  return problems;
}

function readsNodeFiles({ UPSTREAM, L4_SOURCE }: Settings): boolean {
  return UPSTREAM === 'exchange' && L4_SOURCE === 'node';
}

/** Settings that have no effect here: logged as warnings. */
function idleSettings(settings: Settings, given: ReadonlySet<SettingName>): string[] {
  const warnings: string[] = [];
  for (const name of given) {
    if (settings.UPSTREAM === 'sim' && OF_EXCHANGE.has(name))
      warnings.push(`${name} has no effect with UPSTREAM=sim; did you mean UPSTREAM=exchange?`);
    else if (name === 'L4_SOURCE' && settings.UPSTREAM !== 'exchange')
      warnings.push('L4_SOURCE has no effect: only UPSTREAM=exchange has a choice');
    else if (name === 'UPSTREAM_L4_URL' && readsNodeFiles(settings))
      warnings.push('UPSTREAM_L4_URL has no effect with L4_SOURCE=node');
    else if (name.startsWith('NATS_') && settings.ROLE === 'all')
      warnings.push(`${name} has no effect with ROLE=all; did you mean ROLE=gateway or ROLE=sequencer?`);
    else if (name === 'DATABASE_URL' && settings.ROLE === 'sequencer')
      warnings.push('DATABASE_URL has no effect with ROLE=sequencer, which keeps no accounts');
    else if (name.startsWith('NODE_') && !readsNodeFiles(settings))
      warnings.push(`${name} has no effect: only L4_SOURCE=node reads the files of a node`);
    else if (settings.UPSTREAM !== 'service' && name === 'UPSTREAM_API_KEY')
      warnings.push(`${name} has no effect: only UPSTREAM=service uses a key`);
    else if (settings.UPSTREAM !== 'sim' && name.startsWith('VENUE_'))
      warnings.push(`${name} has no effect: only UPSTREAM=sim starts the simulated exchange`);
  }
  return warnings;
}

/** A service on all addresses cannot know its public name, and refuses browsers then (D34). */
function namelessHost({ HOST, PUBLIC_URL }: Settings): string[] {
  if (!isWildcard(HOST) || PUBLIC_URL !== undefined) return [];
  return [
    `HOST=${HOST} requires PUBLIC_URL: until it is set, pages and sign-in are refused; calls with a key still work`,
  ];
}

/** Prefixes that only this service uses, so that an unknown variable with one is a typo. */
const OWN_PREFIX = /^(?:L4|VENUE|UPSTREAM|RECORD)_/;

/** Unknown variables: any in `.env`, and those in the environment that look like ours. */
function unknownVariables(environment: Variables, envFile: Variables): string[] {
  const names = new Set([...Object.keys(envFile), ...Object.keys(environment).filter((name) => OWN_PREFIX.test(name))]);
  return [...names]
    .filter((name) => !(name in SETTINGS) && !VENUE_VARIABLES.has(name))
    .map((name) => {
      const near = nearestSetting(name);
      return `unknown setting ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
    });
}

/** What the simulated exchange reads beside the settings above; it checks them itself. */
const VENUE_VARIABLES: ReadonlySet<string> = new Set([
  'VENUE_RATE',
  'VENUE_STATUS_RATE',
  'VENUE_SIZE',
  'VENUE_COINS',
  'VENUE_EXTRA_COINS',
  'VENUE_START_TIME',
  'VENUE_DIFF_SIDE',
  'VENUE_SNAPSHOT_TRIM',
  'VENUE_SNAPSHOT_MS',
  'VENUE_MAX_UNSENT_BYTES',
  'VENUE_INFO_WEIGHT_PER_MINUTE',
  'VENUE_NODE_DIR',
  'VENUE_NODE_FILES',
]);

function nearestSetting(name: string): SettingName | undefined {
  let best: { readonly name: SettingName; readonly distance: number } | undefined;
  for (const candidate of SETTING_NAMES) {
    const distance = editDistance(name, candidate);
    if (distance <= 3 && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
