import { useEffect, useId, useRef } from 'react';
import { create } from 'zustand';
import { usePreferences } from '../state/preferences.ts';

/** Something that the open page can do. The palette, the keys, the `?` sheet and the tooltips read it from one list. */
export interface Action {
  /** Unique among all registered actions. */
  readonly id: string;
  /** What it does, worded as the user searches for it: `Refresh balances`. */
  readonly label: string;
  /** `KeyboardEvent.key`; `Space` for the space bar, `Mod+k` for Ctrl or ⌘ with K, `Shift+ArrowUp` for an arrow with Shift. */
  readonly keys?: string;
  /** What it spends, in credits, if it spends. A key alone spends at most one credit: for more, it opens a dialog with the price. */
  readonly price?: number;
  /** Shown beside the label in the palette: a price over time, an address. */
  readonly hint?: string | undefined;
  /** More words by which the palette finds it: `log out`. */
  readonly aliases?: string;
  /** Names a wallet or a group of wallets, which the privacy preference blurs. */
  readonly isPrivate?: boolean;
  /** Whether it can run now; true if absent. The sheet names its key either way. */
  readonly isEnabled?: boolean;
  /** It is meaningless away from the thing it acts on: the next row, the next order. The palette leaves it out. */
  readonly isKeyOnly?: boolean;
  readonly run: () => void;
}

/** Heading in the palette: what the page does, how it travels in time, or what it exports. */
export type ActionGroup = 'This page' | 'Time travel' | 'Exports';

interface ActionList {
  readonly id: string;
  /** What it reads like: a list that reads the same is not registered again. */
  readonly read: string;
  /** Heading in the sheet of keys. */
  readonly title: string;
  readonly group: ActionGroup;
  readonly actions: readonly Action[];
}

const useRegistered = create<{ readonly lists: readonly ActionList[]; readonly pricedId: string | undefined }>()(
  () => ({ lists: [], pricedId: undefined }),
);

/** Registers actions while the component is mounted. Any list will do: it is registered again only when it reads differently. */
export function useActions(title: string, actions: readonly Action[], group: ActionGroup = 'This page'): void {
  const id = useId();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  // Functions are left out.
  const read = JSON.stringify([title, group, actions]);
  useEffect(() => {
    const run = (of: string) => () => latest.current.find((action) => action.id === of)?.run();
    const list = { id, read, title, group, actions: latest.current.map((one) => ({ ...one, run: run(one.id) })) };
    useRegistered.setState(({ lists }) => {
      const at = lists.findIndex((other) => other.id === id);
      return { lists: at < 0 ? [...lists, list] : lists.with(at, list) };
    });
  }, [id, title, group, read]);
  useEffect(
    () => () => useRegistered.setState(({ lists }) => ({ lists: lists.filter((other) => other.id !== id) })),
    [id],
  );
}

/** All registered actions, by list. */
export function useActionLists(): readonly ActionList[] {
  return useRegistered((state) => state.lists);
}

export const isEnabled = (action: Action): boolean => action.isEnabled !== false;

function newest(lists: readonly ActionList[], fits: (action: Action) => boolean): Action | undefined {
  return lists
    .toReversed()
    .flatMap(({ actions }) => actions)
    .find(fits);
}

/** Closes the dialog with the price of an action. */
export const closePricedAction = () => useRegistered.setState({ pricedId: undefined });

/** The action whose key was pressed and which costs more than a key may spend, while it is registered. */
export function usePricedAction(): Action | undefined {
  const pricedId = useRegistered((state) => state.pricedId);
  const lists = useActionLists();
  return pricedId === undefined ? undefined : newest(lists, (action) => action.id === pricedId && isEnabled(action));
}

/** Whether a key is on: single letters, digits and signs can be turned off. */
function isOn(key: string, characterKeys: boolean): boolean {
  return characterKeys || key.length > 1;
}

/** Returns a function that tells whether a key is on, so that no key is named that does nothing. */
export function useIsKeyOn(): (key: string) => boolean {
  const characterKeys = usePreferences((state) => state.characterKeys);
  return (key) => isOn(key, characterKeys);
}

/** A key as texts name it: `P`, `Space`, `[`. */
export function keyText(keys: string): string {
  return keys.length === 1 ? keys.toUpperCase() : keys;
}

/** Returns a function that names an action's key beside what it does, while the key is on: `Hold this block (P)`. */
export function useWithKey(): (text: string, id: string) => string {
  const lists = useActionLists();
  const isKeyOn = useIsKeyOn();
  return (text, id) => {
    const keys = newest(lists, (action) => action.id === id)?.keys;
    return keys !== undefined && isKeyOn(keys) ? `${text} (${keyText(keys)})` : text;
  };
}

/** The signs of keys that are letters in other scripts, without and with Shift. */
const SIGNS: Readonly<Record<string, string>> = {
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  BracketLeft: '[{',
  BracketRight: ']}',
};

/** The pressed key as `Action.keys` names it, whatever Caps Lock is; of another script, the key of a US keyboard in the same place. */
export function latinKey({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (key.length > 1) return key;
  const inPlace = /^Key([A-Z])$/.exec(code)?.[1] ?? SIGNS[code]?.charAt(shiftKey ? 1 : 0);
  const isOfOtherScript = OF_OTHER_SCRIPT.test(key) && inPlace !== undefined;
  return (isOfOtherScript ? inPlace : key).toLowerCase();
}

const OF_OTHER_SCRIPT = /^(?!\p{Script=Latin})\p{L}$/u;

/** Passes key presses to the actions, newest list first. Called once, by the shell. */
export function useActionKeys(): void {
  useEffect(() => {
    const onKey = (event: Event) => {
      // The choice of an autofill entry is a keydown without a key.
      if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
      // Many European keyboards type `[` with AltGr, which Windows reports as Ctrl and Alt, and Firefox these two as AltGr.
      const isAltGr = event.getModifierState('AltGraph') && /^[^\p{L}\p{N}\s]$/u.test(event.key);
      if (event.altKey && !isAltGr) return;
      const isChord = (event.ctrlKey || event.metaKey) && !isAltGr;
      const pressed = isAltGr ? event.key : latinKey(event);
      // A letter is typed without Shift, whatever Caps Lock is.
      if (!isChord && event.shiftKey && /^[a-z]$/.test(pressed)) return;
      const shifted = event.shiftKey && pressed.startsWith('Arrow') ? `Shift+${pressed}` : pressed;
      const key = isChord ? `Mod+${pressed}` : shifted === ' ' ? 'Space' : shifted;
      if (!isOn(key, usePreferences.getState().characterKeys)) return;
      if (!isChord && (document.querySelector(OPEN) !== null || isTaken(event.target, key))) return;
      const found = newest(useRegistered.getState().lists, (action) => action.keys === key && isEnabled(action));
      if (found === undefined) return;
      // A chord over a dialog does nothing, but the browser's own command for it would leave the page.
      event.preventDefault();
      if (isChord && document.querySelector('dialog[open]') !== null) return;
      if (event.repeat && !REPEATED.test(key)) return;
      if ((found.price ?? 0) > KEY_CREDITS_MAX) useRegistered.setState({ pricedId: found.id });
      else found.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The keys that repeat while they are held down, because they move by a step. Any other acts once: it may spend or toggle. */
const REPEATED = /^(?:(?:Shift\+)?Arrow|Page)|^[,.<>[\]]$/;

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
