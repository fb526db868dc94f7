import { WalletError } from '@l4desk/client';
import { type Address, address, decimalString, spotBalanceSlot, z } from '@l4desk/protocol';
import { FIELDS } from './fields.ts';
import {
  amountsOf,
  boundedJournal,
  type Change,
  EMPTY_LEDGER,
  type Holding,
  JOURNAL_MAX,
  type Journal,
  type Ledger,
} from './ledger.ts';

/** The name under which the browser keeps it. */
export const LEDGER_NAME = 'balances';
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
  token: z.int(),
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

/** What of a ledger outlives the visit: readings, failures and changes, as plain values. */
export function keptLedger({ holdings, journal }: Ledger): z.input<typeof kept> {
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

/** Reads a kept ledger, entry by entry: what cannot be read takes nothing else with it. */
export function readKeptLedger(value: unknown): Ledger {
  const found = kept.safeParse(value).data;
  if (found === undefined) return EMPTY_LEDGER;
  const holdings = found.holdings.flatMap((item): readonly (readonly [Address, Holding])[] => {
    const read = holding.safeParse(item).data;
    if (read === undefined) return [];
    const { user, good, failed } = read;
    return [
      [
        user,
        {
          good: good && { ...good, isKept: true, amounts: amountsOf(good.state) },
          failed: failed && { at: failed.at, error: new WalletError(user, failed.message) },
          refused: undefined,
        },
      ],
    ];
  });
  const changes = found.changes.flatMap((item) => change.safeParse(item).data ?? []) as Change[];
  return {
    ...EMPTY_LEDGER,
    holdings: new Map(holdings),
    journal: { changes: changes.slice(0, JOURNAL_MAX), dropped: found.dropped },
  };
}

/** Puts what was kept below what this visit has read already: readings wallet by wallet, changes in the order of time. */
export function withKept(ledger: Ledger, before: Ledger): Ledger {
  const holdings = new Map(before.holdings);
  for (const [user, holding] of ledger.holdings) {
    // A wallet that failed in this visit keeps its last good reading (BATCH-18).
    holdings.set(user, { ...holding, good: holding.good ?? before.holdings.get(user)?.good });
  }
  return { ...ledger, isRestored: true, holdings, journal: mergedJournal(ledger.journal, before.journal) };
}

/** Each of the two has numbered its changes by itself, so they are numbered anew. */
function mergedJournal(visit: Journal, kept: Journal): Journal {
  const changes = [...visit.changes, ...kept.changes].toSorted((a, b) => b.at - a.at);
  const numbered = changes.map((change, index) => ({ ...change, id: changes.length - index }));
  return boundedJournal(numbered, visit.dropped + kept.dropped);
}
