import { type Address, isAddress } from '@l4desk/protocol';
import { create } from 'zustand';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { BookPage } from '../book-page.ts';

/** What the context menu is about: a price, an order, a wallet, or several of them. */
export interface MenuTarget {
  /** Its position in the window, px. */
  readonly x: number;
  readonly y: number;
  readonly level?: LevelRef | undefined;
  readonly oid?: number | undefined;
  readonly user?: Address | undefined;
  /** The ladder that it was opened on, if not the active one. */
  readonly page?: BookPage;
  /** Turns that ladder's ruler on, starting at the price. */
  readonly measure?: () => void;
}

export const useMenuTarget = create<{ readonly target: MenuTarget | undefined }>()(() => ({ target: undefined }));

export const openMenu = (target: MenuTarget) => useMenuTarget.setState({ target });

export const closeMenu = () => useMenuTarget.setState({ target: undefined });

/** The keys that open the menu of what has the focus. */
export const isMenuKey = ({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** What an element of a pane names: its order, and the wallet that it or its row names. */
export function targetOf(element: Element): Pick<MenuTarget, 'oid' | 'user'> | undefined {
  const row = element.closest<HTMLElement>('tr, li') ?? undefined;
  const named = element.closest<HTMLElement>('[data-wallet]') ?? row?.querySelector<HTMLElement>('[data-wallet]');
  const ordered = element.closest<HTMLElement>('[data-oid]');
  const oid = ordered?.dataset.oid === undefined ? undefined : Number(ordered.dataset.oid);
  const user = isAddress(named?.dataset.wallet) ? named.dataset.wallet : undefined;
  return oid === undefined && user === undefined ? undefined : { oid, user };
}
