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

const credits = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a whole number of credits from 0')
  .transform(Number)
  .pipe(creditCount);

const planName = z.string().regex(/^[\w .-]{1,32}$/, 'must have 1 to 32 letters, digits, spaces or . _ -');

/** `accounts create`, `accounts list` and `accounts set-plan`. */
export function accountCommands({ withStore, answer, now, commands }: CliContext): Command {
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
    .action(async (name: string, { plan, maxCredits, flexLimit, freeCredits }: Plan) => {
      const account = newAccount(name, { plan, maxCredits, flexLimit, freeCredits }, now());
      const created = await withStore((store) => store.createAccount(account));
      if (created === undefined) throw new CliFailure(`There is an account of the name ${name} already.`);
      answer(accountJson(created), [`Account ${name} made. Next: ${createKeyCommand(commands, 'api', name)}`]);
    });

  accounts
    .command('set-plan')
    .description('change what an account may use; a running service follows within seconds')
    .argument('<name>', 'its name')
    .option('--plan <name>', 'name of its plan', argument(planName))
    .option('--max-credits <n>', 'credits a calendar month', argument(credits))
    .option('--flex-limit <n>', 'credits beyond that before calls are refused', argument(credits))
    .option('--free-credits <n>', 'credits a month that are free', argument(credits))
    .action(async (name: string, options: Partial<Plan>) => {
      const changes = changesOf(options);
      if (Object.values(changes).every((change) => change === undefined))
        throw new CliFailure(
          'Nothing to change: give --plan, --max-credits, --flex-limit or --free-credits. (--help says more)',
          EXIT.usage,
        );
      const account = await withStore((store) => store.setPlan(name, changes));
      if (account === undefined)
        throw new CliFailure(`There is no account of the name ${name}; accounts list shows those there are.`);
      const { plan, maxCredits, flexLimit, freeCredits } = account;
      answer(accountJson(account), [
        `${name} has the plan ${plan}: ${maxCredits} credits a month, ${freeCredits} of them free, and ${flexLimit} more before calls are refused.`,
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
      answer(
        list.map(accountJson),
        list.length === 0
          ? ['There is no account yet.']
          : table(['NAME', 'PLAN', 'MAX CREDITS', 'FLEX LIMIT', 'FREE CREDITS', 'CREATED'], rows),
      );
    });

  return accounts;
}

/** The plan's part of the options. */
function changesOf({ plan, maxCredits, flexLimit, freeCredits }: Partial<Plan>): PlanChanges {
  return { plan, maxCredits, flexLimit, freeCredits };
}

function accountJson({ id, name, plan, maxCredits, flexLimit, freeCredits, createdAt }: Account) {
  return { id, name, plan, maxCredits, flexLimit, freeCredits, createdAt: timestamp(createdAt) };
}
