import { Command, CommanderError } from 'commander';
import { KyselyStore } from '../accounts/kysely-store.ts';
import type { Store } from '../accounts/store.ts';
import { readSettings, type Settings, type Variables } from '../config.ts';
import { problemsText } from '../config-text.ts';
import { DatabaseError, openDatabase } from '../database/libsql.ts';
import { readEnvFile } from '../env-file.ts';
import { accountCommands } from './accounts.ts';
import { keyCommands } from './keys.ts';
import { CliFailure, EXIT } from './outcome.ts';

/** What the command line needs of the world. */
export interface CliWorld {
  readonly environment: Variables;
  readonly envFilePath: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly now: () => number;
}

/** How a command answers: as one JSON document with `--json`, else as lines for people. */
export interface CliContext {
  readonly now: () => number;
  /** Runs with the database the settings name, and closes it. */
  readonly withStore: <T>(act: (store: Store) => Promise<T>) => Promise<T>;
  readonly answer: (json: unknown, lines: readonly string[]) => void;
}

/** Runs one command line and returns its exit code: 0 done, 1 failed, 2 not understood. */
export async function runCli(words: readonly string[], world: CliWorld): Promise<number> {
  const program = new Command('l4desk')
    .description('Accounts and keys of L4 Desk. Works on the same DATA_DIR while the service runs.')
    .option('--json', 'answer with one JSON document')
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .showHelpAfterError('(--help says more)');
  const context: CliContext = {
    now: world.now,
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
      world.out(
        program.opts<{ json?: boolean }>().json === true
          ? `${JSON.stringify(json)}\n`
          : lines.map((line) => `${line}\n`).join(''),
      ),
  };
  program.addCommand(accountCommands(context));
  program.addCommand(keyCommands(context));
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

function settingsOf({ environment, envFilePath }: CliWorld): Settings {
  const envFile = readEnvFile(envFilePath);
  if (typeof envFile === 'string') throw new CliFailure(envFile, EXIT.usage);
  const result = readSettings(environment, envFile);
  if (result.kind === 'problems') throw new CliFailure(problemsText(result.problems).trimEnd(), EXIT.usage);
  return result.settings;
}
