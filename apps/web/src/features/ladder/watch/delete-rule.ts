import { ruleText } from '../../../book-worker/watch-texts.ts';
import { type KeptRule, useWatchRules } from '../../../state/watch-rules.ts';
import { toast } from '../../../ui/toast.tsx';

/** A rule with its book in one line: `BTC: spread > 5 bps`. */
export function keptText({ coin, rule }: KeptRule, walletText: (address: string) => string): string {
  return `${coin ?? 'every coin'}: ${ruleText(rule, walletText)}`;
}

/** Deletes a rule. The toast offers to put it back at its place. */
export function deleteRule(kept: KeptRule, text: string): void {
  const { rules, remove, restore } = useWatchRules.getState();
  const at = rules.indexOf(kept);
  remove(kept.id);
  toast(`Rule deleted: ${text}`, {
    text: 'Undo',
    run: () => restore(kept, at) || toast('Not restored: the list is full, or has such a rule again.'),
  });
}
