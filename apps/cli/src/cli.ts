import { DatabaseError, KyselyStore, openDatabase } from '@l4desk/ledger';
import { type Variables, variableOf } from '@l4desk/runtime/node';
import { Command, CommanderError } from 'commander';
import { accountCommands } from './accounts.ts';
import { atCommand } from './at.ts';
import type { CliContext, CliWorld } from './context.ts';
import { backupCommand, copyCommand, migrateCommand, restoreCommand } from './database.ts';
import { exportCommand } from './export.ts';
import { keyCommands } from './keys.ts';
import { orderCommand } from './order.ts';
import { CliFailure, EXIT, type FailureExit } from './outcome.ts';
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

/** Runs one command line and returns its exit code, one of `EXIT`. */
export async function runCli(words: readonly string[], world: CliWorld): Promise<number> {
  const program = new Command('l4desk')
    .description(
      'Manage accounts and keys of L4 Desk, also while the service runs on the same DATA_DIR or DATABASE_URL, and watch its books.',
    )
    .option('--json', 'print one JSON document')
    .version(world.version, '-v, --version', 'print the version')
    .addHelpText('after', EXIT_HELP)
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .showHelpAfterError('(see --help)');
  const wantsJson = () => program.opts<{ json?: boolean }>().json === true;
  let isPrinted = false;
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
    note: (text) => world.err(`${text}\n`),
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
    print(json, lines) {
      isPrinted = true;
      world.out(wantsJson() ? `${JSON.stringify(json)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
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
  /** A result that was printed says what failed; a second document after it could not be parsed. */
  const documentFailure = (code: string, message: string) => {
    if (!isPrinted) world.out(`${JSON.stringify({ error: { code, message } })}\n`);
  };
  const fail = (exitCode: FailureExit, code: string, message: string) => {
    world.err(`${message}\n`);
    if (wantsJson()) documentFailure(code, message);
    return exitCode;
  };
  try {
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      // It has said so on standard error. What follows the mistake was not parsed, `--json` included.
      if (words.includes('--json')) documentFailure('usage', parseProblem(error));
      return EXIT.usage;
    }
    if (error instanceof CliFailure) return fail(error.exitCode, error.code, error.message);
    if (error instanceof DatabaseError) return fail(EXIT.failed, error.code, error.message);
    throw error;
  }
}

const EXIT_HELP = `
Exit codes:
  0  done
  1  failed: books differ, a file cannot be used, or there is no such account, key, order or block
  2  invalid command line or settings, no such file or folder, or a new file that exists already
  3  not available: the service cannot be reached, did not respond in time or refused, for
     example a coin that it does not have; or interrupted

With --json an error is {"error":{"code","message"}} on standard output.`;

/** What is wrong with the command line, in a sentence. */
function parseProblem({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Specify a command; see --help.' : message.replace(/^error: /, '');
}
