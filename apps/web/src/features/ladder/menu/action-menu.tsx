import { DropdownMenu as Radix } from 'radix-ui';
import { useState } from 'react';
import { isEnabled } from '../../../hooks/actions.ts';
import { useBack } from '../../../hooks/use-back.ts';
import { closeMenu, type MenuTarget } from './menu-target.ts';
import { useTargetActions } from './target-actions.ts';

/** The open context menu. What had the focus gets it back, unless the action took it. Not modal, as no popover is. */
export default function ActionMenu({ target }: { readonly target: MenuTarget }) {
  const groups = useTargetActions(target);
  const [before] = useState(() => document.activeElement);
  useBack(true, closeMenu);
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
