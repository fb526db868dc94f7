import { existsSync } from 'node:fs';
import { backUpDatabase, copyDatabase, DatabaseError, openDatabase, restoreDatabase } from '@l4desk/ledger';
import { runningServices } from '@l4desk/runtime/node';
import { Argument, Command } from 'commander';
import type { CliContext } from './context.ts';
import { codeFailure, fileFailure } from './file-failure.ts';
import { CliFailure, EXIT, nameArgument, table } from './outcome.ts';

/** `migrate`: updates the database schema before the first service of a new version starts. */
export function migrateCommand({ settings, print }: CliContext): Command {
  return new Command('migrate')
    .description('bring the database of DATABASE_URL or DATA_DIR up to date; a service does so when it starts')
    .action(async () => {
      const { DATABASE_URL, DATA_DIR } = settings();
      let applied: readonly string[] = [];
      const onMigrated = (names: readonly string[]) => {
        applied = names;
      };
      const db = await openDatabase(DATABASE_URL ?? DATA_DIR, { onMigrated });
      await db.destroy();
      print(
        { applied },
        applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `Applied ${name}.`),
      );
    });
}

/** The data directory of the embedded database. Throws if PostgreSQL is used, which has its own tool for this. */
function embeddedDirectory(settings: CliContext['settings'], tool: string): string {
  const { DATABASE_URL, DATA_DIR } = settings();
  if (DATABASE_URL !== undefined) throw new CliFailure(`DATABASE_URL is set: use ${tool} for PostgreSQL.`, EXIT.usage);
  return DATA_DIR;
}

/** Refuses to run next to a running service, which would lose the charges it makes meanwhile. */
function refuseRunning(directory: string): void {
  const [running] = runningServices(directory);
  if (running !== undefined)
    throw new CliFailure(
      `A service runs on ${directory} (${running.url}). Stop it first: what it charges meanwhile would be lost.`,
    );
}

/** `backup`: writes the embedded database to a file; the service may be running. */
export function backupCommand({ settings, print }: CliContext): Command {
  return new Command('backup')
    .description('write the database of DATA_DIR to a new file, also while the service runs')
    .argument('<file>', 'the backup', nameArgument)
    .action(async (file: string) => {
      const directory = embeddedDirectory(settings, 'pg_dump');
      try {
        await backUpDatabase(directory, file);
      } catch (error) {
        throw fileFailure(file, error);
      }
      print({ file }, [`Backed up to ${file}.`]);
    });
}

/** `restore`: replaces the embedded database with a backup; the service must be stopped. */
export function restoreCommand({ settings, print }: CliContext): Command {
  return new Command('restore')
    .description('put a backup in place of the database of DATA_DIR, with the service stopped')
    .argument('<file>', 'the backup', nameArgument)
    .action(async (file: string) => {
      const directory = embeddedDirectory(settings, 'pg_restore');
      if (!existsSync(file)) throw codeFailure(file, 'ENOENT');
      refuseRunning(directory);
      await restoreDatabase(directory, file);
      print({ file }, [`Restored from ${file}.`]);
    });
}

/** `copy`: copies everything from the embedded database to PostgreSQL, or back. */
export function copyCommand({ settings, print, commands }: CliContext): Command {
  return new Command('copy')
    .description('copy all accounts, keys, sessions and usage between the databases of DATA_DIR and DATABASE_URL')
    .addArgument(new Argument('<target>', 'where to').choices(['postgres', 'embedded']))
    .option('--replace', 'delete what the target holds')
    .action(async (target: 'postgres' | 'embedded', options: { readonly replace?: true }) => {
      const { DATABASE_URL, DATA_DIR } = settings();
      if (DATABASE_URL === undefined) throw new CliFailure('DATABASE_URL must be set to copy.', EXIT.usage);
      refuseRunning(DATA_DIR);
      const [from, to] = target === 'postgres' ? [DATA_DIR, DATABASE_URL] : [DATABASE_URL, DATA_DIR];
      const source = await openDatabase(from);
      try {
        const destination = await openDatabase(to);
        try {
          const contents = await copyDatabase(source, destination, { replace: options.replace === true });
          const rows = contents.map(({ table: name, rows: count, sums }) => [
            name,
            count,
            sums.free_credits ?? '',
            sums.premium_credits ?? '',
          ]);
          print({ target, tables: contents }, [
            ...table(['TABLE', 'ROWS', 'FREE CREDITS', 'PREMIUM CREDITS'], rows, ['FREE CREDITS', 'PREMIUM CREDITS']),
            `Copied to ${target}; all rows were compared and are equal.`,
          ]);
        } finally {
          await destination.destroy();
        }
      } catch (error) {
        if (error instanceof DatabaseError && error.message.startsWith('The target is not empty'))
          throw new CliFailure(`${error.message} To delete them: ${commands.l4desk} copy ${target} --replace`);
        throw error;
      } finally {
        await source.destroy();
      }
    });
}
