import { compare } from '@l4desk/decimal';
import { useNavigate } from '@tanstack/react-router';
import { DropdownMenu as Radix } from 'radix-ui';
import { useState } from 'react';
import type { LevelRef } from '../../../book-worker/position.ts';
import { rowHolds } from '../../../book-worker/prices.ts';
import { type Action, isEnabled } from '../../../hooks/actions.ts';
import { useBack } from '../../../hooks/use-back.ts';
import { type KeptRule, useWatchRules, WATCH_RULES_MAX } from '../../../state/watch-rules.ts';
import { grouped, shortAddress } from '../../../ui/format.ts';
import { toast } from '../../../ui/toast.tsx';
import { useWalletBook, useWalletText } from '../../../wallets/wallet-book.ts';
import { useBookPage } from '../book-page.ts';
import { focusIn } from '../pane-focus.ts';
import { writeSweep } from '../search.ts';
import { deleteRule, keptText } from '../watch/delete-rule.ts';
import { closeMenu, type MenuTarget } from './menu-target.ts';
import { useWalletActions } from './wallet-actions.ts';

/** The open context menu. What had the focus gets it back, unless the action took it. Not modal, as no popover is. */
export default function ActionMenu({ target }: { readonly target: MenuTarget }) {
  const groups = useTargetActions(target);
  useBack(true, closeMenu);
  const [before] = useState(() => document.activeElement);
  return (
    <Radix.Root open modal={false} onOpenChange={closeMenu}>
      <Radix.Trigger asChild>
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          className="pointer-events-none fixed size-0"
          style={{ left: target.x, top: target.y }}
        />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label="Actions"
          data-part="context-menu"
          align="start"
          collisionPadding={8}
          loop
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const isFree = document.activeElement === null || document.activeElement === document.body;
            if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
          }}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-y-auto rounded-4 border border-edge bg-surface-1 py-1 outline-none"
        >
          {groups.map(({ title, isPrivate, actions }) => (
            <Radix.Group key={title} className="border-line not-first:mt-1 not-first:border-t not-first:pt-1">
              <Radix.Label className={`num px-3 py-0.5 text-12 text-dim ${isPrivate === true ? 'private' : ''}`}>
                {title}
              </Radix.Label>
              {actions.map((action) => (
                <Radix.Item
                  key={action.id}
                  disabled={!isEnabled(action)}
                  title={action.hint}
                  onSelect={action.run}
                  className="flex min-h-(--control) items-center px-3 outline-none data-disabled:opacity-50 data-highlighted:bg-accent-soft data-highlighted:text-strong"
                >
                  {action.label}
                </Radix.Item>
              ))}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuGroup {
  readonly title: string;
  /** It names a wallet, which the privacy preference blurs. */
  readonly isPrivate?: boolean;
  readonly actions: readonly Action[];
}

export function useTargetActions({ level, oid, user, page: own, measure }: MenuTarget): readonly MenuGroup[] {
  const active = useBookPage();
  const navigate = useNavigate();
  const rules = useWatchRules((state) => state.rules);
  const wallet = useWalletBook(({ wallets }) => wallets.find(({ address }) => address === user));
  const walletText = useWalletText();
  const page = own ?? active;
  const ofWallet = useWalletActions(user, page);
  const { coin, hasPanes, onLevel, onLife, onPane, onSweep } = page;
  const groups: MenuGroup[] = [];
  if (level !== undefined) {
    const { side, px } = level;
    const reaches = side === 'A' ? 'above' : 'below';
    const ofCoin = rules.filter((kept) => kept.coin === coin);
    const marked = ofCoin.find(({ isOn, rule }) => isOn && isMarkedAt(rule, level));
    const off = ofCoin.find(({ isOn, rule }) => !isOn && hasPrice(rule, reaches, px));
    const alert = () => {
      const { turn, add } = useWatchRules.getState();
      if (off === undefined) add({ kind: 'price', reaches, px }, coin);
      else turn(off.id, true);
      const show = () => {
        onPane('watch');
        focusIn('watch');
      };
      toast(`Alert: ${coin} mid at ${grouped(px)} or ${reaches}`, hasPanes ? { text: 'Show', run: show } : undefined);
    };
    const taker = side === 'A' ? 'buy' : 'sell';
    const sweep = {
      id: 'sweep to',
      label: `Sweep to here: ${taker}`,
      run: () => onSweep(writeSweep({ side: taker, measure: 'to', amount: px })),
    };
    groups.push({
      title: `${side === 'A' ? 'Ask' : 'Bid'} ${grouped(px)}`,
      actions: [
        { id: 'copy px', label: 'Copy the price', run: () => copy(px) },
        ...(hasPanes ? [{ id: 'level', label: 'Open its orders', run: () => onLevel(level) }] : []),
        {
          id: 'alert',
          label: marked ? 'Remove its alert' : `Alert when the mid ${side === 'A' ? 'rises' : 'falls'} to it`,
          isEnabled: (marked ?? off) !== undefined || rules.length < WATCH_RULES_MAX,
          run: marked ? () => deleteRule(marked, keptText(marked, walletText)) : alert,
        },
        ...(hasPanes ? [sweep] : []),
        ...(measure === undefined ? [] : [{ id: 'measure', label: 'Measure from here', run: measure }]),
      ],
    });
  }
  if (oid !== undefined) {
    groups.push({
      title: `Order ${oid}`,
      actions: [
        { id: 'copy oid', label: 'Copy the oid', run: () => copy(String(oid)) },
        ...(hasPanes ? [{ id: 'life', label: 'Open its life', run: () => onLife(oid) }] : []),
      ],
    });
  }
  if (user !== undefined) {
    groups.push({
      title: wallet?.label || shortAddress(user),
      isPrivate: true,
      actions: [
        { id: 'copy address', label: 'Copy the address', run: () => copy(user) },
        ...ofWallet,
        {
          id: 'balances',
          label: 'Open the wallet in Balances',
          run: () => void navigate({ to: '/balances', search: { w: user, open: user } }),
        },
      ],
    });
  }
  return groups;
}

/** Whether the ladder marks the row for this rule. It does so on either side of the mid. */
function isMarkedAt(rule: KeptRule['rule'], { px, tick }: LevelRef): boolean {
  if (rule.kind !== 'price') return false;
  const side = rule.reaches === 'above' ? 'A' : 'B';
  return rowHolds({ side, px, tick }, side, rule.px);
}

function hasPrice(rule: KeptRule['rule'], reaches: 'above' | 'below', px: LevelRef['px']): boolean {
  return rule.kind === 'price' && rule.reaches === reaches && compare(rule.px, px) === 0;
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast('Copied', undefined, 'copy'),
    () => toast('The browser blocked copying', undefined, 'copy'),
  );
}
