import { isWildcard, type Variables, variableOf } from '@l4desk/runtime/node';
import { isLoopback, SETTING_NAMES, SETTINGS, type SettingName, type Settings, settingOf } from './settings.ts';

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
  const given: SettingName[] = [];
  const values = SETTING_NAMES.map((name) => {
    const { schema, fallback, example } = settingOf(name);
    const raw = variableOf(name, environment, envFile);
    if (raw !== undefined) given.push(name);
    const written = raw ?? fallback;
    const read = written === undefined ? undefined : schema.safeParse(written);
    if (read?.success === false)
      problems.push({ name, problem: read.error.issues[0]?.message ?? 'is invalid', example });
    return [name, read?.data];
  });
  if (problems.length > 0) return { kind: 'problems', problems };
  const settings = Object.fromEntries(values) as Settings;
  const missing = missingTogether(settings);
  if (missing.length > 0) return { kind: 'problems', problems: missing };
  return {
    kind: 'settings',
    settings,
    warnings: [
      ...idleSettings(settings, given),
      ...browserProblems(settings),
      ...unknownVariables(environment, envFile),
    ],
  };
}

/** Problems with settings that are required by another setting, or that exclude each other. */
function missingTogether(settings: Settings): SettingProblem[] {
  const { ROLE, UPSTREAM } = settings;
  const isOfNode = readsNodeFiles(settings);
  const role = `ROLE=${ROLE}`;
  const upstream = isOfNode ? 'NODE_DATA_DIR' : `UPSTREAM=${UPSTREAM}`;
  const needs: readonly (readonly [name: SettingName, isNeeded: boolean, reason: string])[] = [
    ['NATS_URL', ROLE !== 'all', role],
    ['DATABASE_URL', ROLE === 'gateway', role],
    // A sequencer of an exchange makes no queries; the snapshots of a hosted service are queries.
    ['UPSTREAM_INFO_URL', UPSTREAM === 'service' || (UPSTREAM === 'exchange' && ROLE !== 'sequencer'), upstream],
    // A gateway does not follow the books of the upstream.
    ['NODE_INFO_URL', isOfNode && ROLE !== 'gateway', upstream],
    ['UPSTREAM_L4_URL', !isOfNode && UPSTREAM !== 'sim' && ROLE !== 'gateway', upstream],
    ['UPSTREAM_API_KEY', UPSTREAM === 'service', upstream],
  ];
  const problems = needs
    .filter(([name, isNeeded]) => isNeeded && settings[name] === undefined)
    .map(([name, , reason]) => ({ name, problem: `is required with ${reason}`, example: SETTINGS[name].example }));
  // Each process would start its own simulated exchange, and each would be a different market.
  if (ROLE === 'all' || UPSTREAM !== 'sim') return problems;
  return [...problems, { name: 'UPSTREAM', problem: `cannot be sim with ${role}`, example: SETTINGS.UPSTREAM.example }];
}

/** Whether the books come from the files of a node instead of an order-level server. */
function readsNodeFiles({ UPSTREAM, NODE_DATA_DIR }: Settings): boolean {
  return UPSTREAM === 'exchange' && NODE_DATA_DIR !== undefined;
}

function idleSettings(settings: Settings, given: readonly SettingName[]): string[] {
  const { ROLE, UPSTREAM } = settings;
  const isOfNode = readsNodeFiles(settings);
  const idle: readonly (readonly [names: RegExp, isIdle: boolean, why: string])[] = [
    [/^UPSTREAM_.*_URL$/, UPSTREAM === 'sim', ' with UPSTREAM=sim; did you mean UPSTREAM=exchange?'],
    [/^UPSTREAM_L4_URL$/, isOfNode, ' with NODE_DATA_DIR'],
    [/^NATS_/, ROLE === 'all', ' with ROLE=all; did you mean ROLE=gateway or ROLE=sequencer?'],
    [/^DATABASE_URL$/, ROLE === 'sequencer', ' with ROLE=sequencer, which keeps no accounts'],
    [/^NODE_/, !isOfNode, ': only UPSTREAM=exchange with NODE_DATA_DIR reads the files of a node'],
    [/^UPSTREAM_API_KEY$/, UPSTREAM !== 'service', ': only UPSTREAM=service uses a key'],
  ];
  return given.flatMap((name) => {
    const [, , why] = idle.find(([names, isIdle]) => isIdle && names.test(name)) ?? [];
    return why === undefined ? [] : [`${name} has no effect${why}`];
  });
}

/** Under which addresses browsers cannot use the service (D34). */
function browserProblems({ HOST, PUBLIC_URL, ROLE }: Settings): string[] {
  if (ROLE === 'sequencer') return [];
  if (PUBLIC_URL === undefined) {
    if (!isWildcard(HOST)) return [];
    return [
      `HOST=${HOST} requires PUBLIC_URL: until it is set, pages and sign-in are refused; calls with a key still work`,
    ];
  }
  const { protocol, hostname } = new URL(PUBLIC_URL);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [
    `PUBLIC_URL=${PUBLIC_URL} is neither https nor on loopback: browsers cannot sign in there; calls with a key still work`,
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

/** The start command if the service is installed as a package (`L4DESK_COMMAND`); undefined in the repository. */
type InstalledAs = string | undefined;

/** The output of `--help`: every setting with its default. */
export function settingsHelp(installedAs: InstalledAs): string {
  const lines = SETTING_NAMES.flatMap((name) => {
    const { about, fallback, example } = settingOf(name);
    const standard =
      fallback === undefined
        ? `not set; for example ${example}`
        : fallback === ''
          ? `empty; for example ${example}`
          : fallback;
    return [`  ${name}`, `      ${about}`, `      default: ${standard}`];
  });
  return [
    'L4 Desk: a live, exact order-level book.',
    '',
    'Settings are environment variables, or NAME=value lines in the file .env of the working directory; the environment wins.',
    '',
    ...lines,
    '',
    `The simulated exchange has more VENUE_ settings: ${installedAs === undefined ? 'npm run venue --' : `${installedAs} venue`} --help`,
    '',
  ].join('\n');
}

/** The output of a start with invalid settings: the name, problem and an example of each. */
export function problemsText(problems: readonly SettingProblem[], installedAs: InstalledAs): string {
  const lines = problems.map(({ name, problem, example }) => `  ${name} ${problem}. Example: ${name}=${example}`);
  const start = installedAs === undefined ? 'npm start --' : `${installedAs} start`;
  return ['Invalid settings:', ...lines, `All settings: ${start} --help`, ''].join('\n');
}

/** The settings that differ from their defaults, as logged at start. Secrets are masked. */
export function changedSettings(settings: Settings): Record<string, unknown> {
  const changed = SETTING_NAMES.filter((name) => {
    const { schema, fallback } = settingOf(name);
    const standard = fallback === undefined ? undefined : schema.parse(fallback);
    return JSON.stringify(settings[name]) !== JSON.stringify(standard);
  });
  return Object.fromEntries(changed.map((name) => [name, masked(name, settings[name])]));
}

function masked(name: SettingName, value: Settings[SettingName]): unknown {
  if (settingOf(name).secret === true) return '***';
  // The query of a URL may contain a key.
  return typeof value === 'string' && name.endsWith('_URL') ? value.replace(/\?.*$/, '?***') : value;
}
