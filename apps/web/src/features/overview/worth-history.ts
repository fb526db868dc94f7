import { subtract } from '@l4desk/decimal';
import { type DecimalString, decimalString, z } from '@l4desk/protocol';
import { useEffect, useState } from 'react';
import { useStored } from '../../hooks/use-kept-value.ts';
import { keep } from '../../state/kept-values.ts';
import { usePreferences } from '../../state/preferences.ts';
import { dayText, type TimeZone } from '../../ui/format.ts';

const worthAt = z.object({ at: z.number(), total: decimalString });

/** A whole worth, and when it was loaded, in ms. */
type WorthAt = z.infer<typeof worthAt>;

const history = z.object({
  /** The wallets that it is of. */
  wallets: z.string(),
  /** The last one of an earlier visit. */
  before: worthAt.nullable(),
  /** The first one of the day. */
  first: worthAt,
  last: worthAt,
});

type WorthHistory = z.infer<typeof history>;

const NAME = 'overview worth';

const readHistories = (stored: unknown): readonly WorthHistory[] => z.array(history).safeParse(stored).data ?? [];

/** A visit begins when the page is loaded, whatever is opened in it. */
const openedAt = performance.timeOrigin;

/** The most choices of wallets whose worths are kept. */
const HISTORIES_MAX = 10;

/** The histories, that of these wallets first, with the worth that was loaded now. */
export function withWorth(
  histories: readonly WorthHistory[],
  wallets: string,
  now: WorthAt,
  { openedAt, zone }: { readonly openedAt: number; readonly zone: TimeZone },
): readonly WorthHistory[] {
  const known = histories.find((one) => one.wallets === wallets);
  const isToday = known !== undefined && dayText(known.first.at, zone) === dayText(now.at, zone);
  const next: WorthHistory = {
    wallets,
    before: known === undefined ? null : known.last.at < openedAt ? known.last : known.before,
    first: isToday ? known.first : now,
    last: now,
  };
  return [next, ...histories.filter((one) => one !== known)].slice(0, HISTORIES_MAX);
}

/** A change of the worth since an earlier one. */
export interface WorthChange {
  readonly since: 'last visit' | 'first today';
  readonly at: number;
  readonly delta: DecimalString;
}

/** What changed since the last visit, and since the first worth of the day, as far as those are earlier ones. */
export function worthChanges({ before, first, last }: WorthHistory, total: DecimalString): readonly WorthChange[] {
  const change = (since: WorthChange['since'], { at, total: from }: WorthAt): WorthChange => ({
    since,
    at,
    delta: subtract(total, from),
  });
  return [
    ...(before === null ? [] : [change('last visit', before)]),
    ...(first.at === last.at || first.at === before?.at ? [] : [change('first today', first)]),
  ];
}

/** How the worth of these wallets changed. Keeps each whole worth in this browser; `worth` is undefined while it is not whole. */
export function useWorthChanges(wallets: string, worth: WorthAt | undefined): readonly WorthChange[] {
  const zone = usePreferences((state) => state.timeZone);
  const stored = useStored(NAME, readHistories);
  const [changed, setHistories] = useState<readonly WorthHistory[]>();
  const histories = changed ?? stored;
  const own = histories?.find((one) => one.wallets === wallets);
  // Balances that are loaded alone change the total, not the time.
  const isNew = worth !== undefined && (own?.last.at !== worth.at || own.last.total !== worth.total);
  if (histories !== undefined && isNew) {
    setHistories(withWorth(histories, wallets, worth, { openedAt, zone }));
  }
  useEffect(() => {
    if (changed !== undefined) void keep(NAME, changed);
  }, [changed]);
  return own === undefined || worth === undefined ? [] : worthChanges(own, worth.total);
}
