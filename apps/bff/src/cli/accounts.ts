import { z } from '@l4desk/protocol';
import { Command } from 'commander';
import { accountName, creditCount, DEFAULT_PLAN, newAccount } from '../accounts/new-account.ts';
import type { Account } from '../accounts/store.ts';
import type { CliContext } from './cli.ts';
import { argument, CliFailure, table, timestamp } from './outcome.ts';

const credits = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a whole number of credits from 0')
  .transform(Number)
  .pipe(creditCount);

const planName = z.string().regex(/^[\w .-]{1,32}$/, 'must have 1 to 32 letters, digits, spaces or . _ -');

interface CreateOptions {
  readonly plan: string;
  readonly maxCredits: number;
  readonly flexLimit: number;
  readonly freeCredits: number;
}

/** `accounts create` and `accounts list`. */
export function accountCommands({ withStore, answer, now }: CliContext): Command {
  const accounts = new Command('accounts').description('who is served');

  accounts
    .command('create')
    .description('make an account')
    .argument('<name>', 'its name', argument(accountName))
    .option('--plan <name>', 'name of its plan', argument(planName), DEFAULT_PLAN.plan)
    .option('--max-credits <n>', 'credits a calendar month', argument(credits), DEFAULT_PLAN.maxCredits)
    .option(
      '--flex-limit <n>',
      'credits beyond that before calls are refused',
      argument(credits),
      DEFAULT_PLAN.flexLimit,
    )
    .option('--free-credits <n>', 'credits a month that are free', argument(credits), DEFAULT_PLAN.freeCredits)
    .action(async (name: string, { plan, maxCredits, flexLimit, freeCredits }: CreateOptions) => {
      const account = newAccount(name, { plan, maxCredits, flexLimit, freeCredits }, now());
      const created = await withStore((store) => store.createAccount(account));
      if (created === undefined) throw new CliFailure(`There is an account of the name ${name} already.`);
      answer(accountJson(created), [
        `Account ${name} made. Next: npm run -s l4desk -- keys create --kind api --account ${quoted(name)}`,
      ]);
    });

  accounts
    .command('list')
    .description('list the accounts')
    .action(async () => {
      const list = await withStore((store) => store.listAccounts());
      const rows = list.map((account) => [
        account.name,
        account.plan,
        String(account.maxCredits),
        String(account.flexLimit),
        String(account.freeCredits),
        timestamp(account.createdAt),
      ]);
      answer(
        list.map(accountJson),
        list.length === 0
          ? ['There is no account yet.']
          : table(['NAME', 'PLAN', 'MAX CREDITS', 'FLEX LIMIT', 'FREE CREDITS', 'CREATED'], rows),
      );
    });

  return accounts;
}

function accountJson({ id, name, plan, maxCredits, flexLimit, freeCredits, createdAt }: Account) {
  return { id, name, plan, maxCredits, flexLimit, freeCredits, createdAt: timestamp(createdAt) };
}

function quoted(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : `'${name}'`;
}
