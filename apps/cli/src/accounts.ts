import {
  type Account,
  accountName,
  creditCount,
  DEFAULT_PLAN,
  newAccount,
  type Plan,
  type PlanChanges,
} from '@l4desk/ledger';
import { z } from '@l4desk/protocol';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { createKeyCommand } from './keys.ts';
import { argument, CliFailure, EXIT, table, timestamp } from './outcome.ts';

const CREDITS = 'must be a whole number of credits from 0 to 1,000,000,000,000,000';

const credits = z
  .string()
  .regex(/^\d{1,16}$/, CREDITS)
  .transform(Number)
  .refine((count) => creditCount.safeParse(count).success, CREDITS);

const planName = z.string().regex(/^[\w .-]{1,32}$/, 'must be 1 to 32 letters, digits, spaces or . _ -');

/** `accounts create`, `accounts list` and `accounts set-plan`. */
export function accountCommands({ withStore, print, now, commands, settings }: CliContext): Command {
  const accounts = new Command('accounts').description('manage accounts');

  accounts
    .command('create')
    .description('create an account')
    .argument('<name>', 'name of the account', argument(accountName))
    .option('--plan <name>', 'name of the plan', argument(planName), DEFAULT_PLAN.plan)
    .option('--max-credits <n>', 'credits per calendar month', argument(credits), DEFAULT_PLAN.maxCredits)
    .option('--flex-limit <n>', 'extra credits before calls are refused', argument(credits), DEFAULT_PLAN.flexLimit)
    .option('--free-credits <n>', 'free credits per month', argument(credits), DEFAULT_PLAN.freeCredits)
    .action(async (name: string, { plan, maxCredits, flexLimit, freeCredits }: Plan) => {
      const account = newAccount(name, { plan, maxCredits, flexLimit, freeCredits }, now());
      const created = await withStore((store) => store.createAccount(account));
      if (created === undefined) throw new CliFailure(`An account named ${name} already exists.`);
      const { DATABASE_URL, DATA_DIR } = settings();
      print(accountJson(created), [
        `Account ${name} created in ${DATABASE_URL === undefined ? DATA_DIR : 'PostgreSQL'}.`,
        `Next: ${createKeyCommand(commands, 'api', name)}`,
      ]);
    });

  accounts
    .command('set-plan')
    .description('change the plan of an account; a running service applies it within seconds')
    .argument('<name>', 'name of the account')
    .option('--plan <name>', 'name of the plan', argument(planName))
    .option('--max-credits <n>', 'credits per calendar month', argument(credits))
    .option('--flex-limit <n>', 'extra credits before calls are refused', argument(credits))
    .option('--free-credits <n>', 'free credits per month', argument(credits))
    .action(async (name: string, options: Partial<Plan>) => {
      const changes = changesOf(options);
      if (Object.values(changes).every((change) => change === undefined))
        throw new CliFailure(
          'Nothing to change: pass --plan, --max-credits, --flex-limit or --free-credits. (see --help)',
          EXIT.usage,
        );
      const account = await withStore((store) => store.setPlan(name, changes));
      if (account === undefined) throw new CliFailure(`No account named ${name}; see "accounts list".`);
      const { plan, maxCredits, flexLimit, freeCredits } = account;
      print(accountJson(account), [
        `${name} has the plan ${plan}: ${maxCredits} credits per month, ${freeCredits} of them free, and ${flexLimit} more before calls are refused.`,
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
        account.maxCredits,
        account.flexLimit,
        account.freeCredits,
        timestamp(account.createdAt),
      ]);
      print(
        list.map(accountJson),
        list.length === 0
          ? ['No accounts yet.']
          : table(['NAME', 'PLAN', 'MAX CREDITS', 'FLEX LIMIT', 'FREE CREDITS', 'CREATED'], rows),
      );
    });

  return accounts;
}

/** The options that belong to the plan. */
function changesOf({ plan, maxCredits, flexLimit, freeCredits }: Partial<Plan>): PlanChanges {
  return { plan, maxCredits, flexLimit, freeCredits };
}

function accountJson({ id, name, plan, maxCredits, flexLimit, freeCredits, createdAt }: Account) {
  return { id, name, plan, maxCredits, flexLimit, freeCredits, createdAt: timestamp(createdAt) };
}
