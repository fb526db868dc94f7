import { DatabaseError, KyselyStore, openDatabase, type Variables, variableOf } from '@l4desk/ledger';
import { Command, CommanderError } from 'commander';
import { accountCommands } from './accounts.ts';
import { atCommand } from './at.ts';
import type { CliContext, CliWorld } from './context.ts';
import { backupCommand, copyCommand, migrateCommand, restoreCommand } from './database.ts';
import { exportCommand } from './export.ts';
import { keyCommands } from './keys.ts';
import { orderCommand } from './order.ts';
import { CliFailure, EXIT } from './outcome.ts';
import { ownersCommand } from './owners.ts';
import { queueCommand } from './queue.ts';
import { recordCommand } from './record.ts';
import { replayCommand } from './replay.ts';
import { envFileVariables, servicePlace, shellCommands } from './settings.ts';
import { sqlCommand } from './sql.ts';
import { sweepCommand } from './sweep.ts';
import { tailCommand } from './tail.ts';
import { usageCommand } from './usage.ts';
import { verifyCommand } from './verify.ts';

/** Runs one command line and returns its exit code: 0 success, 1 failure, 2 usage error. */
export async function runCli(words: readonly string[], world: CliWorld): Promise<number> {
  const program = new Command('l4desk')
    .description(
      'Manage accounts and keys of L4 Desk, also while the service runs on the same DATA_DIR or DATABASE_URL, and watch its books.',
    )
    .option('--json', 'print one JSON document')
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .showHelpAfterError('(see --help)');
  const wantsJson = () => program.opts<{ json?: boolean }>().json === true;
  let envFile: Variables | undefined;
  const variable = (name: string) => {
    // Read once, and only by commands that need it, so that `--help` works even if the file cannot be read.
    envFile ??= envFileVariables(world.envFilePath);
    return variableOf(name, world.environment, envFile);
  };
  const context: CliContext = {
    now: world.now,
    commands: shellCommands(world.environment),
    out: world.out,
    wantsJson,
    terminal: () => world.terminal?.(),
    interruption: () => world.interruption?.() ?? new AbortController().signal,
    variable,
    settings: () => servicePlace(variable),
    async withStore(act) {
      const { DATABASE_URL, DATA_DIR } = servicePlace(variable);
      const store = new KyselyStore(await openDatabase(DATABASE_URL ?? DATA_DIR));
      try {
        return await act(store);
      } finally {
        await store.close();
      }
    },
    print: (json, lines) =>
      world.out(wantsJson() ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join('')),
  };
  program.addCommand(accountCommands(context));
  program.addCommand(keyCommands(context));
  program.addCommand(usageCommand(context));
  program.addCommand(migrateCommand(context));
  program.addCommand(backupCommand(context));
  program.addCommand(restoreCommand(context));
  program.addCommand(copyCommand(context));
  program.addCommand(tailCommand(context));
  program.addCommand(verifyCommand(context));
  program.addCommand(queueCommand(context));
  program.addCommand(ownersCommand(context));
  program.addCommand(sweepCommand(context));
  program.addCommand(recordCommand(context));
  program.addCommand(replayCommand(context));
  program.addCommand(atCommand(context));
  program.addCommand(orderCommand(context));
  program.addCommand(exportCommand(context));
  program.addCommand(sqlCommand(context));
  for (const command of program.commands.flatMap((group) => [group, ...group.commands])) {
    command.copyInheritedSettings(program);
    // Also accepted after the command, where people tend to put it.
    if (command.commands.length === 0)
      command.option('--json', 'print one JSON document').on('option:json', () => program.setOptionValue('json', true));
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
