import { address, isDecimalString, z } from '@l4desk/protocol';
import { accountStore, storedList } from './account.ts';

export const WATCH_RULES_MAX = 50;

const amount = z.custom<`${number}`>(
  (text) => typeof text === 'string' && isDecimalString(text) && !text.startsWith('-'),
);
/** A threshold that an imbalance can exceed; an imbalance is at most 1. */
const part = amount.refine((text) => Number(text) < 1);
const size = amount.refine((text) => /[1-9]/.test(text));

const rule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wallet'), user: address, event: z.enum(['placed', 'pulled']), minSz: size }),
  z.object({ kind: z.literal('place'), user: address, place: z.int().min(1).max(1_000_000) }),
  z.object({ kind: z.literal('wall'), withinBps: amount, minSz: size }),
  z.object({ kind: z.literal('price'), reaches: z.enum(['above', 'below']), px: size }),
  z.object({ kind: z.literal('spread'), aboveBps: amount }),
  z.object({ kind: z.literal('imbalance'), withinBps: amount, above: part }),
  z.object({ kind: z.literal('suspect') }),
  z.object({ kind: z.literal('epoch') }),
]);

const keptRule = z.object({
  id: z.string().min(1).max(64),
  isOn: z.boolean(),
  /** The coin the rule applies to; null for every coin. */
  coin: z.string().min(1).max(64).nullable(),
  rule,
});

/** A watch rule as the user made it. */
export type KeptRule = z.infer<typeof keptRule>;

const kept = z.object({
  rules: storedList(keptRule),
  sound: z.boolean().catch(false),
  notify: z.boolean().catch(false),
});

interface WatchRules {
  readonly rules: readonly KeptRule[];
  /** Whether a firing rule plays a sound; `notify`: whether it shows a browser notification. */
  readonly sound: boolean;
  readonly notify: boolean;
  readonly add: (rule: KeptRule['rule'], coin: string | null) => void;
  readonly remove: (id: string) => void;
  /** Puts a removed rule back at its place. Returns false if the list is full, or has an equal rule. */
  readonly restore: (rule: KeptRule, at: number) => boolean;
  readonly turn: (id: string, isOn: boolean) => void;
  readonly set: (change: { readonly sound?: boolean; readonly notify?: boolean }) => void;
}

/** Reads stored rules of any version; skips a rule that it cannot read. */
function read(state: unknown) {
  const { rules, sound, notify } = kept.safeParse(state).data ?? kept.parse({});
  return {
    rules: rules.slice(0, WATCH_RULES_MAX),
    sound,
    notify,
  };
}

/** Parses what the user typed: returns the rule, or the first field that is invalid. */
export function readRule(typed: unknown) {
  const { data, error } = rule.safeParse(typed);
  return { rule: data, refused: error?.issues[0]?.path[0] };
}

/** Whether one of the rules, turned on or off, watches for the same in the same book. */
export function hasRule(
  rules: readonly KeptRule[],
  wanted: KeptRule['rule'] | undefined,
  coin: string | null,
): boolean {
  return rules.some((kept) => kept.coin === coin && JSON.stringify(kept.rule) === JSON.stringify(wanted));
}

/** The watch rules of an account. Stored in this browser. */
export const useWatchRules = accountStore<WatchRules>('l4desk.watch-rules', read, (set) => ({
  ...read({}),
  add: (made, coin) =>
    set(({ rules }) => ({
      rules: [...rules, { id: crypto.randomUUID(), isOn: true, coin, rule: made }].slice(-WATCH_RULES_MAX),
    })),
  remove: (id) => set(({ rules }) => ({ rules: rules.filter((item) => item.id !== id) })),
  restore: (taken, at) => {
    const { rules } = useWatchRules.getState();
    if (rules.length >= WATCH_RULES_MAX || hasRule(rules, taken.rule, taken.coin)) return false;
    set({ rules: rules.toSpliced(at, 0, taken) });
    return true;
  },
  turn: (id, isOn) => set(({ rules }) => ({ rules: rules.map((item) => (item.id === id ? { ...item, isOn } : item)) })),
  set: (change) => set(change),
}));
