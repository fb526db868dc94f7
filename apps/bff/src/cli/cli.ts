import { Command, CommanderError } from 'commander';
import { KyselyStore } from '../accounts/kysely-store.ts';
import type { Store } from '../accounts/store.ts';
import { readSettings, type Settings, type Variables } from '../config.ts';
import { problemsText } from '../config-text.ts';
import { DatabaseError } from '../database/database-error.ts';
import { openDatabase } from '../database/libsql.ts';
import { readEnvFile } from '../env-file.ts';
import { accountCommands } from './accounts.ts';
import { keyCommands } from './keys.ts';
import { CliFailure, EXIT } from './outcome.ts';
import { tailCommand } from './tail.ts';
import { usageCommand } from './usage.ts';
import { verifyCommand } from './verify.ts';

/** What the command line needs of the world. */
export interface CliWorld {
  readonly environment: Variables;
  readonly envFilePath: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly now: () => number;
  /** The size of the terminal that `out` writes to; undefined where it is a file or a pipe. */
  readonly terminal?: () => TerminalSize | undefined;
  /** Aborts when the user wants an end (Ctrl-C); a command that goes on until then asks for it. */
  readonly interruption?: () => AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** How a command answers: as one JSON document with `--json`, else as lines for people. */
export interface CliContext {
  readonly now: () => number;
  /** Runs with the database the settings name, and closes it. */
  readonly withStore: <T>(act: (store: Store) => Promise<T>) => Promise<T>;
  readonly answer: (json: unknown, lines: readonly string[]) => void;
  /** A variable of the environment, or else of the `.env` file; an empty one counts as not set, as for the service. */
  readonly variable: (name: string) => string | undefined;
  /** The settings as the service would read them here. */
  readonly settings: () => Settings;
  readonly wantsJson: () => boolean;
  readonly out: (text: string) => void;
  readonly terminal: () => TerminalSize | undefined;
  readonly interruption: () => AbortSignal;
}

/** Runs one command line and returns its exit code: 0 done, 1 failed, 2 not understood. */
export async function runCli(words: readonly string[], world: CliWorld): Promise<number> {
  const program = new Command('l4desk')
    .description('Accounts and keys of L4 Desk, on the same DATA_DIR while the service runs, and its books.')
    .option('--json', 'answer with one JSON document')
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .showHelpAfterError('(--help says more)');
  const wantsJson = () => program.opts<{ json?: boolean }>().json === true;
  const context: CliContext = {
    now: world.now,
    out: world.out,
    wantsJson,
    terminal: () => world.terminal?.(),
    interruption: () => world.interruption?.() ?? new AbortController().signal,
    variable: (name) =>
      [world.environment[name], envFileOf(world)[name]].map((value) => value?.trim()).find((value) => value),
    settings: () => settingsOf(world),
    async withStore(act) {
      const { DATA_DIR } = settingsOf(world);
      const store = new KyselyStore(await openDatabase(DATA_DIR));
      try {
        return await act(store);
      } finally {
        await store.close();
      }
    },
    answer: (json, lines) =>
      world.out(wantsJson() ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join('')),
  };
  program.addCommand(accountCommands(context));
  program.addCommand(keyCommands(context));
  program.addCommand(usageCommand(context));
  program.addCommand(tailCommand(context));
  program.addCommand(verifyCommand(context));
  for (const command of program.commands.flatMap((group) => [group, ...group.commands])) {
    command.copyInheritedSettings(program);
    // Accepted behind the command too, where people put it.
    if (command.commands.length === 0)
      command
        .option('--json', 'answer with one JSON document')
        .on('option:json', () => program.setOptionValue('json', true));
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof CliFailure) {
      world.err(`${error.message}\n`);
      return error.exitCode;
    }
    if (error instanceof DatabaseError) {
      world.err(`${error.message}\n`);
      return EXIT.failed;
    }
    throw error;
  }
}

function envFileOf({ envFilePath }: CliWorld): Variables {
  const envFile = readEnvFile(envFilePath);
  if (typeof envFile === 'string') throw new CliFailure(envFile, EXIT.usage);
  return envFile;
}

function settingsOf(world: CliWorld): Settings {
  const result = readSettings(world.environment, envFileOf(world));
  if (result.kind === 'problems') throw new CliFailure(problemsText(result.problems).trimEnd(), EXIT.usage);
  return result.settings;
}
