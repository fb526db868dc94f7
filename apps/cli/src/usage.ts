import { type Account, type Store, shownKey, type UsageSums, usageResponse } from '@l4desk/ledger';
import { dayOf, decodeUsageQuery, firstOfMonth, type Usage, type UsageWindow } from '@l4desk/protocol';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, counted, EXIT, grouped, share, table } from './outcome.ts';

interface UsageOptions {
  readonly account?: string;
  readonly duration?: string;
  readonly from?: string;
  readonly to?: string;
}

/** An account's usage in the format of the usage endpoint, plus fields that only this command shows. */
interface AccountUsage {
  readonly account: string;
  readonly data: Usage['data'];
  /** Credits used in the current calendar month, independent of the window. The plan's maximum applies to these. */
  readonly thisMonth: number;
  readonly keys: UsageSums['credentials'];
}

/** `usage`: the accounts' usage over the windows of the usage endpoint. */
export function usageCommand({ withStore, print, now }: CliContext): Command {
  return new Command('usage')
    .description('show the credits used, by day and by key')
    .option('--account <name>', 'one account; default: all')
    .option('--duration <months>', '1 (this month so far, the default), 3, 6 or 12 months back from today')
    .option('--from <day>', 'first day of a window, as YYYY-MM-DD; requires --to')
    .option('--to <day>', 'last day of the window')
    .action(async ({ account, ...query }: UsageOptions) => {
      const decoded = decodeUsageQuery(query, dayOf(now()));
      if (decoded.kind === 'refused')
        throw new CliFailure(`--${decoded.path} ${decoded.problem}. (see --help)`, EXIT.usage);
      const { window } = decoded;
      const today = dayOf(now());
      if (account !== undefined) {
        const [used] = await withStore(async (store) => read(store, window, today, [await named(store, account)]));
        if (used !== undefined) print(asJson(used), detail(used));
        return;
      }
      const all = await withStore(async (store) => read(store, window, today, await store.listAccounts()));
      print(all.map(asJson), all.length === 0 ? ['No accounts yet.'] : overview(all, window));
    });
}

/** The response of the endpoint, with the account's name. */
function asJson({ account, data }: AccountUsage) {
  return { account, ...data };
}

async function named(store: Store, name: string): Promise<Account> {
  const account = await store.accountNamed(name);
  if (account === undefined) throw new CliFailure(`No account named ${name}; see "accounts list".`);
  return account;
}

/** Sorted by usage in the window, then in the month, highest first. */
async function read(
  store: Store,
  window: UsageWindow,
  today: string,
  accounts: readonly Account[],
): Promise<AccountUsage[]> {
  const month = { from: firstOfMonth(today), to: today };
  const used: AccountUsage[] = [];
  for (const account of accounts) {
    const sums = await store.usageSums(account.id, window);
    const { days } = await store.usageSums(account.id, month);
    used.push({
      account: account.name,
      data: usageResponse(account, window, sums).data,
      thisMonth: days.reduce((sum, { premium, free }) => sum + premium + free, 0),
      keys: sums.credentials,
    });
  }
  const inWindow = ({ data }: AccountUsage) => data.aggregate.credits_consumed;
  return used.sort(
    (a, b) => inWindow(b) - inWindow(a) || b.thisMonth - a.thisMonth || a.account.localeCompare(b.account, 'en'),
  );
}

function overview(all: readonly AccountUsage[], { from, to }: UsageWindow): string[] {
  const rows = all.map(({ account, data: { aggregate }, thisMonth }) => [
    account,
    aggregate.plan,
    aggregate.credits_consumed,
    aggregate.premium_credits,
    aggregate.free_credits,
    thisMonth,
    aggregate.max_credits,
    share(thisMonth, aggregate.max_credits),
    aggregate.flex_credits.limit,
  ]);
  const headings = ['ACCOUNT', 'PLAN', 'CREDITS', 'PREMIUM', 'FREE', 'THIS MONTH', 'MONTHLY MAX', 'OF PLAN', 'FLEX'];
  return [`${from} to ${to}`, '', ...table(headings, rows)];
}

/** One account in full; days without usage are omitted. */
function detail({ account, data, thisMonth, keys }: AccountUsage): string[] {
  const { period, aggregate, by_day: byDay } = data;
  const { credits_consumed: all, premium_credits: premium, free_credits: free, plan, max_credits: max } = aggregate;
  const lines = [
    `${account}, ${period.from} to ${period.to}: ${counted(all, 'credit')}, ${grouped(premium)} premium and ${grouped(free)} free`,
    `Plan ${plan}: ${counted(max, 'credit')} per month and ${grouped(aggregate.flex_credits.limit)} more before calls are refused`,
    `This month: ${counted(thisMonth, 'credit')}, ${share(thisMonth, max)} of the plan`,
  ];
  if (all === 0) return lines;
  const days = byDay.filter((day) => day.premium_credits + day.free_credits > 0);
  return [
    ...lines,
    '',
    ...table(
      ['ID', 'KEY', 'LABEL', 'CREDITS', 'SHARE'],
      keys.map((key) => [key.id, shownKey(key), key.label, key.credits, share(key.credits, all)]),
    ),
    '',
    ...table(
      ['DAY', 'PREMIUM', 'FREE'],
      days.map((day) => [day.date, day.premium_credits, day.free_credits]),
    ),
  ];
}
