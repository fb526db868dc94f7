import { WalletError } from '@l4desk/client';
import { type Address, address, decimalString, spotBalanceSlot, z } from '@l4desk/protocol';
import { amountsOf, type Balances, type Change, EMPTY_BALANCES, type Holding, JOURNAL_MAX } from './balance-store.ts';
import { FIELDS } from './fields.ts';

/** The name under which the browser stores balances. */
export const BALANCES_NAME = 'balances';
const VERSION = 1;

const time = z.int().min(0);

const holding = z.object({
  user: address,
  good: z.object({ at: time, state: spotBalanceSlot }).optional(),
  failed: z.object({ at: time, message: z.string() }).optional(),
});

const change = z.object({
  id: z.int(),
  user: address,
  token: z.int().optional(),
  coin: z.string().optional(),
  field: z.enum(FIELDS),
  from: decimalString.optional(),
  to: decimalString.optional(),
  since: time,
  at: time,
});

const kept = z.object({
  version: z.literal(VERSION),
  holdings: z.array(z.unknown()),
  changes: z.array(z.unknown()),
  dropped: z.int().min(0),
});

/** The part of the balances that outlives the visit: readings, failures and changes, as plain values. */
export function keptBalances({ holdings, journal }: Balances): z.input<typeof kept> {
  return {
    version: VERSION,
    holdings: [...holdings].map(([user, { good, failed }]) => ({
      user,
      ...(good === undefined ? {} : { good: { at: good.at, state: good.state } }),
      ...(failed === undefined ? {} : { failed: { at: failed.at, message: failed.error.message } }),
    })),
    changes: [...journal.changes],
    dropped: journal.dropped,
  };
}

/** Reads stored balances entry by entry, so that an unreadable one does not discard the others. */
export function readKeptBalances(value: unknown): Balances {
  const found = kept.safeParse(value).data;
  if (found === undefined) return EMPTY_BALANCES;
  const holdings = found.holdings.flatMap((item): readonly (readonly [Address, Holding])[] => {
    const read = holding.safeParse(item).data;
    if (read === undefined) return [];
    const { user, good, failed } = read;
    return [
      [
        user,
        {
          good: good && { ...good, amounts: amountsOf(good.state) },
          failed: failed && { at: failed.at, error: new WalletError(user, failed.message) },
          refused: undefined,
        },
      ],
    ];
  });
  const changes = found.changes.flatMap((item) => change.safeParse(item).data ?? []) as Change[];
  return {
    ...EMPTY_BALANCES,
    holdings: new Map(holdings),
    journal: { changes: changes.slice(0, JOURNAL_MAX), dropped: found.dropped },
  };
}
