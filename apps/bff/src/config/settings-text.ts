import type { SettingProblem } from './read-settings.ts';
import { SETTING_NAMES, type SettingName, type Settings, settingOf } from './settings.ts';

/** The command that starts everything where the service is installed as a package (`L4DESK_COMMAND`); not set in the repository. */
type InstalledAs = string | undefined;

/** What `--help` prints: every setting with its default. */
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

/** What a start with bad settings prints: name, problem and an example of each. */
export function problemsText(problems: readonly SettingProblem[], installedAs: InstalledAs): string {
  const lines = problems.map(({ name, problem, example }) => `  ${name} ${problem}. Example: ${name}=${example}`);
  const start = installedAs === undefined ? 'npm start --' : `${installedAs} start`;
  return ['Invalid settings:', ...lines, `All settings: ${start} --help`, ''].join('\n');
}

/** The settings as the log shows them at start: secrets masked, those not set left out. */
export function maskedSettings(settings: Settings): Record<string, unknown> {
  const set = SETTING_NAMES.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, masked(name, settings[name])]));
}

function masked(name: SettingName, value: Settings[SettingName]): unknown {
  if (settingOf(name).secret === true) return '***';
  // The query of an address may hold a key.
  return typeof value === 'string' && name.endsWith('_URL') ? value.replace(/\?.*$/, '?***') : value;
}
