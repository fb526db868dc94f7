import { dayOf, decodeUsageQuery, type Usage, type UsageWindow } from '@l4desk/protocol';
import { Command } from 'commander';
import type { Account, Store } from '../accounts/store.ts';
import { usageAnswer } from '../usage/usage-answer.ts';
import type { CliContext } from './cli.ts';
import { CliFailure, EXIT, table } from './outcome.ts';

interface UsageOptions {
  readonly account?: string;
  readonly duration?: string;
  readonly from?: string;
  readonly to?: string;
}

/** An account's use, in the words of the usage endpoint. */
type AccountUsage = { readonly account: string } & Usage['data'];

/** `usage`: what the accounts used, over the windows of the usage endpoint. */
export function usageCommand({ withStore, answer, now }: CliContext): Command {
  return new Command('usage')
    .description('what the accounts used: credits by day and by key')
    .option('--account <name>', 'one account; all of them when left out')
    .option('--duration <months>', '1 (the month so far, the default), 3, 6 or 12 months back from today')
    .option('--from <day>', 'first day of another window, as YYYY-MM-DD, with --to')
    .option('--to <day>', 'its last day')
    .action(async ({ account, ...query }: UsageOptions) => {
      const decoded = decodeUsageQuery(query, dayOf(now()));
      if (decoded.kind === 'refused')
        throw new CliFailure(`--${decoded.path} ${decoded.problem}. (--help says more)`, EXIT.usage);
      const { window } = decoded;
      if (account !== undefined) {
        const [used] = await withStore(async (store) => read(store, window, [await named(store, account)]));
        if (used !== undefined) answer(used, detail(used));
        return;
      }
      const all = await withStore(async (store) => read(store, window, await store.listAccounts()));
      answer(all, all.length === 0 ? ['There is no account yet.'] : overview(all, window));
    });
}

async function named(store: Store, name: string): Promise<Account> {
  const account = await store.accountNamed(name);
  if (account === undefined)
    throw new CliFailure(`There is no account of the name ${name}; accounts list shows those there are.`);
  return account;
}

/** Highest first. */
async function read(store: Store, window: UsageWindow, accounts: readonly Account[]): Promise<AccountUsage[]> {
  const used: AccountUsage[] = [];
  for (const account of accounts) {
    const { data } = usageAnswer(account, window, await store.usageSums(account.id, window));
    used.push({ account: account.name, ...data });
  }
  return used.sort((a, b) => b.aggregate.credits_consumed - a.aggregate.credits_consumed);
}

function overview(all: readonly AccountUsage[], { from, to }: UsageWindow): string[] {
  const rows = all.map(({ account, aggregate }) => [
    account,
    aggregate.plan,
    String(aggregate.credits_consumed),
    String(aggregate.premium_credits),
    String(aggregate.free_credits),
    String(aggregate.max_credits),
    String(aggregate.flex_credits.limit),
  ]);
  return [
    `${from} to ${to}`,
    '',
    ...table(['ACCOUNT', 'PLAN', 'CREDITS', 'PREMIUM', 'FREE', 'MAX A MONTH', 'FLEX'], rows),
  ];
}

/** One account in full; days without use are left out. */
function detail({ account, period, aggregate, by_day: byDay, by_api_key: byKey }: AccountUsage): string[] {
  const { credits_consumed: all, premium_credits: premium, free_credits: free, plan, max_credits: max } = aggregate;
  const lines = [
    `${account}, ${period.from} to ${period.to}: ${all} credits, ${premium} premium and ${free} free`,
    `Plan ${plan}: ${max} credits a month and ${aggregate.flex_credits.limit} more before calls are refused`,
  ];
  if (all === 0) return lines;
  const days = byDay.filter((day) => day.premium_credits + day.free_credits > 0);
  return [
    ...lines,
    '',
    ...table(
      ['KEY', 'CREDITS'],
      byKey.map((key) => [key.apikey, String(key.credits)]),
    ),
    '',
    ...table(
      ['DAY', 'PREMIUM', 'FREE'],
      days.map((day) => [day.date, String(day.premium_credits), String(day.free_credits)]),
    ),
  ];
}
