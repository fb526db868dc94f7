import { useEffect } from 'react';
import { create } from 'zustand';
import { usePreferences } from '../state/preferences.ts';

/** A keyboard shortcut and what it does. */
export interface Shortcut {
  /** `KeyboardEvent.key`; `Space` for the space bar, `Mod+k` for Ctrl or ⌘ with K, `Shift+ArrowUp` for an arrow with Shift. */
  readonly key: string;
  /** What it does, in a few words, for the shortcut sheet. */
  readonly text: string;
  /** What it spends, if it spends. A key alone spends at most one credit: for more, it opens a dialog with the price. */
  readonly credits?: number;
  readonly run: () => void;
}

interface Scope {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const useScopes = create<{ readonly scopes: readonly Scope[] }>()(() => ({ scopes: [] }));

const usePricedKey = create<{ readonly key: string | undefined }>()(() => ({ key: undefined }));

/** Closes the dialog with the price of a shortcut. */
export const closePricedShortcut = () => usePricedKey.setState({ key: undefined });

/** The shortcut whose key was pressed and which costs more than a key may spend, while it is registered. */
export function usePricedShortcut(): Shortcut | undefined {
  const key = usePricedKey((state) => state.key);
  const scopes = useShortcutScopes();
  return key === undefined ? undefined : shortcutOf(key, scopes);
}

/** The newest scope's shortcut of a key. */
function shortcutOf(key: string, scopes: readonly Scope[]): Shortcut | undefined {
  return scopes
    .toReversed()
    .flatMap(({ shortcuts }) => shortcuts)
    .find((shortcut) => shortcut.key === key);
}

/** Registers shortcuts while the component is mounted. Pass a stable list. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    const scope = { title, shortcuts };
    useScopes.setState(({ scopes }) => ({ scopes: [...scopes, scope] }));
    return () => useScopes.setState(({ scopes }) => ({ scopes: scopes.filter((other) => other !== scope) }));
  }, [title, shortcuts]);
}

/** All active shortcuts, by scope. */
export function useShortcutScopes(): readonly Scope[] {
  return useScopes((state) => state.scopes);
}

/** Whether a shortcut is on: those of a single letter, digit or sign can be turned off. */
function isOn(key: string, characterKeys: boolean): boolean {
  return characterKeys || key.length > 1;
}

/** Returns a function that tells whether a shortcut is on, so that no key is named that does nothing. */
export function useIsKeyOn(): (key: string) => boolean {
  const characterKeys = usePreferences((state) => state.characterKeys);
  return (key) => isOn(key, characterKeys);
}

/** Returns a function that names the key beside what it does while its shortcut is on: `Hold this block (P)`. */
export function useWithKey(): (text: string, key: string) => string {
  const isKeyOn = useIsKeyOn();
  return (text, key) => (isKeyOn(key) ? `${text} (${key})` : text);
}

/** Passes key presses to the shortcuts, newest scope first. Called once, by the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isChord = event.ctrlKey || event.metaKey;
      const shifted = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
      const key = isChord ? `Mod+${event.key.toLowerCase()}` : shifted === ' ' ? 'Space' : shifted;
      if (!isOn(key, usePreferences.getState().characterKeys)) return;
      if (document.querySelector(isChord ? 'dialog[open]' : OPEN) !== null || (!isChord && isTaken(event.target, key)))
        return;
      const found = shortcutOf(key, useScopes.getState().scopes);
      if (found === undefined) return;
      event.preventDefault();
      if ((found.credits ?? 0) > KEY_CREDITS_MAX) usePricedKey.setState({ key });
      else found.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** What a key alone may spend. */
const KEY_CREDITS_MAX = 1;

/** An open dialog, popover or menu, or a button whose panel is about to open: no key acts on what is behind it. */
const OPEN = 'dialog[open], [role=dialog], [role=menu], [aria-haspopup][aria-expanded=true]';

/** Whether the focused control handles this key itself. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  // A closed dialog keeps the focus until the next render, but handles no keys.
  if (target.closest('dialog') !== null) return false;
  if (target.closest('input:not([type=radio],[type=checkbox]), textarea, select, [contenteditable]') !== null)
    return true;
  // Space is left to the page by a picker that keeps the focus after a choice (Enter opens it), and by a button that does nothing now.
  if (key === 'Space' && target.closest('[data-space-free], [aria-disabled="true"]') !== null) return false;
  if (/^(?:Shift\+)?Arrow/.test(key) && target.closest('input, [data-arrows]') !== null) return true;
  // What is reached by keyboard because it scrolls keeps the keys that scroll.
  if (key.startsWith('Page') && target.closest('[data-arrows]:not([role=tab])') !== null) return true;
  return (key === 'Space' || key === 'Enter') && target.closest('button, a, summary, input, [role=option]') !== null;
}
