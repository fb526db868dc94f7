import { isWildcard, type Variables, variableOf } from '@l4desk/runtime/node';
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings, settingOf } from './settings.ts';

/** A problem with one setting. It never contains a value that may be a secret. */
export interface SettingProblem {
  readonly name: SettingName;
  readonly problem: string;
  readonly example: string;
}

export type SettingsResult =
  | { readonly kind: 'settings'; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly SettingProblem[] };

/** Reads the settings from the environment, then from `.env`, where an empty one is not set. Reports all problems. */
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

const UPSTREAM_NEEDS = {
  sim: [],
  exchange: ['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL'],
  service: ['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL', 'UPSTREAM_API_KEY'],
} as const satisfies Record<Settings['UPSTREAM'], readonly SettingName[]>;

/** The settings required if the books come from a node's files. */
const NODE_NEEDS = ['UPSTREAM_INFO_URL', 'NODE_INFO_URL'] as const satisfies readonly SettingName[];

const ROLE_NEEDS = {
  all: [],
  sequencer: ['NATS_URL'],
  gateway: ['NATS_URL', 'DATABASE_URL'],
} as const satisfies Record<Settings['ROLE'], readonly SettingName[]>;

/** URLs that have no effect with the simulated exchange, which replaces them. */
const OF_EXCHANGE: ReadonlySet<SettingName> = new Set(['UPSTREAM_INFO_URL', 'UPSTREAM_L4_URL', 'UPSTREAM_WS_URL']);

/** Settings that a sequencer of an exchange does not need: it makes no queries. A hosted service's snapshots need queries. */
const OF_QUERIES: ReadonlySet<SettingName> = new Set(['UPSTREAM_INFO_URL']);

/** Settings that are only needed by a process that follows the upstream's books. */
const OF_BOOKS: ReadonlySet<SettingName> = new Set(['UPSTREAM_L4_URL', 'NODE_INFO_URL']);

/** Problems with settings that are required by another setting, or that exclude each other. */
function missingTogether(settings: Settings): SettingProblem[] {
  const { ROLE, UPSTREAM } = settings;
  const usesNode = readsNodeFiles(settings);
  const ofUpstream: readonly SettingName[] = usesNode ? NODE_NEEDS : UPSTREAM_NEEDS[UPSTREAM];
  const by = usesNode ? 'NODE_DATA_DIR' : `UPSTREAM=${UPSTREAM}`;
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
  // Each process would start its own simulated exchange, and each would be a different market.
  if (ROLE !== 'all' && UPSTREAM === 'sim')
    problems.push({ name: 'UPSTREAM', problem: `cannot be sim with ROLE=${ROLE}`, example: SETTINGS.UPSTREAM.example });
  return problems;
}

/** Whether the books come from the files of a node instead of an order-level server. */
function readsNodeFiles({ UPSTREAM, NODE_DATA_DIR }: Settings): boolean {
  return UPSTREAM === 'exchange' && NODE_DATA_DIR !== undefined;
}

function idleSettings(settings: Settings, given: ReadonlySet<SettingName>): string[] {
  const warnings: string[] = [];
  for (const name of given) {
    if (settings.UPSTREAM === 'sim' && OF_EXCHANGE.has(name))
      warnings.push(`${name} has no effect with UPSTREAM=sim; did you mean UPSTREAM=exchange?`);
    else if (name === 'UPSTREAM_L4_URL' && readsNodeFiles(settings))
      warnings.push('UPSTREAM_L4_URL has no effect with NODE_DATA_DIR');
    else if (name.startsWith('NATS_') && settings.ROLE === 'all')
      warnings.push(`${name} has no effect with ROLE=all; did you mean ROLE=gateway or ROLE=sequencer?`);
    else if (name === 'DATABASE_URL' && settings.ROLE === 'sequencer')
      warnings.push('DATABASE_URL has no effect with ROLE=sequencer, which keeps no accounts');
    else if (name.startsWith('NODE_') && !readsNodeFiles(settings))
      warnings.push(`${name} has no effect: only UPSTREAM=exchange with NODE_DATA_DIR reads the files of a node`);
    else if (settings.UPSTREAM !== 'service' && name === 'UPSTREAM_API_KEY')
      warnings.push(`${name} has no effect: only UPSTREAM=service uses a key`);
  }
  return warnings;
}

/** Until it knows its public name, a service that listens on all addresses refuses browsers (D34). */
function namelessHost({ HOST, PUBLIC_URL, ROLE }: Settings): string[] {
  if (!isWildcard(HOST) || PUBLIC_URL !== undefined || ROLE === 'sequencer') return [];
  return [
    `HOST=${HOST} requires PUBLIC_URL: until it is set, pages and sign-in are refused; calls with a key still work`,
  ];
}

/** Prefixes that only this service uses; an unknown variable with one of them is a typo. `VENUE_` ones are the simulated exchange's. */
const OWN_PREFIX = /^(?:L4|UPSTREAM|RECORD)_/;

/** Warnings about unknown variables: any in `.env`, and those in the environment with one of our prefixes. */
function unknownVariables(environment: Variables, envFile: Variables): string[] {
  const names = new Set([...Object.keys(envFile), ...Object.keys(environment).filter((name) => OWN_PREFIX.test(name))]);
  return [...names]
    .filter((name) => !(name in SETTINGS) && !name.startsWith('VENUE_'))
    .map((name) => `unknown setting ${name}`);
}
