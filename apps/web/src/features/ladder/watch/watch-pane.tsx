import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type KeptRule, useWatchRules, WATCH_RULES_MAX } from '../../../state/watch-rules.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { passesFocus, passFocus, takesFocus } from '../../../ui/pass-focus.ts';
import { toast } from '../../../ui/toast.tsx';
import { beep, mayNotify, showNotification } from '../../../wallets/use-watch-alerts.ts';
import { useWalletText } from '../../../wallets/wallet-book.ts';
import { useBookPage } from '../book-page.ts';
import { PaneHint } from '../pane-hint.tsx';
import { deleteRule, keptText } from './delete-rule.ts';
import { RuleForm } from './rule-form.tsx';

export function WatchPane() {
  const rules = useWatchRules((state) => state.rules);
  const { coin } = useBookPage();
  const isFull = rules.length >= WATCH_RULES_MAX;
  return (
    <div data-part="watch" className="flex min-h-0 grow flex-col">
      {/* The last rule that is added takes the form away: the focus stays here, where the text says so. */}
      <div {...takesFocus} className="focus-area">
        {!isFull && (
          <div ref={passesFocus}>
            <RuleForm coin={coin} />
          </div>
        )}
        <output>
          {isFull && (
            <span className="block border-b border-line px-3 py-1 text-12 text-dim">
              The list has {WATCH_RULES_MAX} rules, the most that are kept. Delete one to add another.
            </span>
          )}
        </output>
      </div>
      <Channels />
      {rules.length === 0 ? (
        <PaneHint>
          A rule tells you when the mid reaches a price, a wallet places or pulls, an order reaches a place, a wall
          appears, the spread widens, the book leans, or the feed is suspect.
        </PaneHint>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
        <ul aria-label="Watch rules" tabIndex={0} data-arrows className="min-h-0 grow overflow-y-auto">
          {rules.map((kept) => (
            <Rule key={kept.id} kept={kept} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Rule({ kept }: { readonly kept: KeptRule }) {
  const { id, isOn, rule } = kept;
  const turn = useWatchRules((state) => state.turn);
  const text = keptText(kept, useWalletText());
  return (
    <li data-rule={rule.kind} className="flex items-center justify-between gap-x-2 border-b border-line pr-1 pl-3">
      <span className={isOn ? 'num text-12' : 'num text-12 text-dim'}>
        <Checkbox text={text} checked={isOn} onChange={(next) => turn(id, next)} />
      </span>
      <IconButton
        icon={Trash2}
        name={`Delete the rule ${text}`}
        onClick={(event) => remove(kept, text, event.currentTarget)}
      />
    </li>
  );
}

/** The pressed button goes with its rule: the focus stays in the list, or without another rule, around it. */
function remove(kept: KeptRule, text: string, button: HTMLElement): void {
  const list = button.closest('ul');
  if (useWatchRules.getState().rules.length > 1) list?.focus();
  else passFocus(list ?? button);
  deleteRule(kept, text);
}

/** Asks for the permission, and shows a first notification. Returns why there will be none. */
async function notifyProblem(): Promise<string | undefined> {
  if (!('Notification' in globalThis)) return NOT_OFFERED;
  await Notification.requestPermission();
  if (!mayNotify()) return 'The browser does not allow notifications of this page.';
  return showNotification('Watch rules that fire are shown like this.') ? undefined : NOT_OFFERED;
}

const NOT_OFFERED = 'This browser does not offer notifications to a page.';

/** Toasts are always shown; sound and notifications are optional. */
function Channels() {
  const sound = useWatchRules((state) => state.sound);
  const notify = useWatchRules((state) => state.notify);
  const set = useWatchRules((state) => state.set);
  const [isAllowed, setAllowed] = useState(mayNotify);
  const chooseSound = (wanted: boolean) => {
    set({ sound: wanted });
    if (wanted) beep();
  };
  const chooseNotify = async (wanted: boolean) => {
    const problem = wanted ? await notifyProblem() : undefined;
    setAllowed(mayNotify());
    if (problem === undefined) set({ notify: wanted });
    else toast(problem);
  };
  return (
    <div className="flex flex-wrap gap-x-4 border-b border-line px-3 text-12">
      <Checkbox text="Sound" checked={sound} onChange={chooseSound} />
      <Checkbox
        text="Browser notification"
        checked={notify && isAllowed}
        onChange={(next) => void chooseNotify(next)}
      />
    </div>
  );
}
