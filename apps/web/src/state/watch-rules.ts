import { address, isDecimalString, z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

/** Rules that are kept. */
export const WATCH_RULES_MAX = 50;

const amount = z.custom<`${number}`>(
  (text) => typeof text === 'string' && isDecimalString(text) && !text.startsWith('-'),
);
/** What a lean can exceed: it is 1 at most. */
const part = amount.refine((text) => Number(text) < 1);
const size = amount.refine((text) => /[1-9]/.test(text));

const rule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wallet'), user: address, event: z.enum(['placed', 'pulled']), minSz: size }),
  z.object({ kind: z.literal('place'), user: address, place: z.int().min(1).max(1_000_000) }),
  z.object({ kind: z.literal('wall'), withinBps: amount, minSz: size }),
  z.object({ kind: z.literal('spread'), aboveBps: amount }),
  z.object({ kind: z.literal('imbalance'), withinBps: amount, above: part }),
  z.object({ kind: z.literal('suspect') }),
  z.object({ kind: z.literal('epoch') }),
]);

const keptRule = z.object({
  id: z.string().min(1).max(64),
  isOn: z.boolean(),
  /** The coin it is for; null for every coin. */
  coin: z.string().min(1).max(64).nullable(),
  rule,
});

/** A watch rule as a person made it. */
export type KeptRule = z.infer<typeof keptRule>;

const kept = z.object({
  rules: z.array(z.unknown()).catch([]),
  sound: z.boolean().catch(false),
  notify: z.boolean().catch(false),
});

interface WatchRules {
  readonly rules: readonly KeptRule[];
  /** Whether a rule that fires makes a sound, and a notification of the browser. */
  readonly sound: boolean;
  readonly notify: boolean;
  readonly add: (rule: KeptRule['rule'], coin: string | null) => void;
  readonly remove: (id: string) => void;
  readonly turn: (id: string, isOn: boolean) => void;
  readonly set: (change: { readonly sound?: boolean; readonly notify?: boolean }) => void;
}

/** What this browser keeps, of any age: a rule that is not understood is left out. */
function read(state: unknown) {
  const { rules, sound, notify } = kept.safeParse(state).data ?? kept.parse({});
  return {
    rules: rules.flatMap((item) => keptRule.safeParse(item).data ?? []).slice(0, WATCH_RULES_MAX),
    sound,
    notify,
  };
}

/** What a person typed, as a rule; or the first part of it that means nothing. */
export function readRule(typed: unknown) {
  const { data, error } = rule.safeParse(typed);
  return { rule: data, refused: error?.issues[0]?.path[0] };
}

/** The watch rules of an account, in this browser. */
export const useWatchRules = accountStore<WatchRules>('l4desk.watch-rules', read, (set) => ({
  ...read({}),
  add: (made, coin) =>
    set(({ rules }) => ({
      rules: [...rules, { id: crypto.randomUUID(), isOn: true, coin, rule: made }].slice(-WATCH_RULES_MAX),
    })),
  remove: (id) => set(({ rules }) => ({ rules: rules.filter((item) => item.id !== id) })),
  turn: (id, isOn) => set(({ rules }) => ({ rules: rules.map((item) => (item.id === id ? { ...item, isOn } : item)) })),
  set: (change) => set(change),
}));
