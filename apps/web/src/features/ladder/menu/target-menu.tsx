import { useEffect } from 'react';
import { later } from '../../../ui/later.tsx';
import { onLongPress } from './long-press.ts';
import { closeMenu, isMenuKey, type MenuTarget, openMenu, targetOf, useMenuTarget } from './menu-target.ts';

const ActionMenu = later<{ readonly target: MenuTarget; readonly onClose: () => void }>(
  async () => (await import('./action-menu.tsx')).default,
);

/**
 * The context menu of the page: on a right-click, a long press, Shift+F10 or the Menu key it opens for the order or wallet that is
 * there. Elsewhere the browser's own menu opens. The ladder opens it by itself, because only the worker knows its prices.
 */
export function TargetMenu() {
  const target = useMenuTarget((state) => state.target);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const open = (event: Event, element: Element, x: number, y: number) => {
      const named = event.defaultPrevented ? undefined : targetOf(element);
      if (named === undefined) return false;
      event.preventDefault();
      openMenu({ x, y, ...named });
      return true;
    };
    const onMenu = (event: MouseEvent) =>
      event.target instanceof Element && open(event, event.target, event.clientX, event.clientY);
    const onKey = (event: KeyboardEvent) => {
      const focused = document.activeElement;
      if (!isMenuKey(event) || focused === null) return;
      // A table has the focus for the cell that the keyboard is on.
      const cell = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '') ?? focused;
      const { left, bottom } = cell.getBoundingClientRect();
      open(event, cell, left, bottom);
    };
    document.addEventListener('contextmenu', onMenu, { signal });
    onLongPress(document.documentElement, signal, onMenu);
    document.addEventListener('keydown', onKey, { signal });
    return () => {
      ending.abort();
      closeMenu();
    };
  }, []);
  return target && <ActionMenu.Part target={target} onClose={closeMenu} />;
}
