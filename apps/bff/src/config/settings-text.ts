import type { SettingProblem } from './read-settings.ts';
import { SETTING_NAMES, type SettingName, type Settings, settingOf } from './settings.ts';

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
