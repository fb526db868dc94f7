import { type RefObject, useEffect } from 'react';
import { create } from 'zustand';

type FindTarget = (form: HTMLElement) => HTMLElement | null;

/** The pane that takes the focus once it is there. */
const useWanted = create<{ readonly pane: string | undefined }>()(() => ({ pane: undefined }));

/** A command that opens a pane for using it by keyboard. */
export function focusIn(pane: string): void {
  useWanted.setState({ pane });
}

const firstField = (form: HTMLElement) => form.querySelector<HTMLElement>('select, input:not([type=radio])');

/**
 * Moves the focus when a command has opened this pane for it: to the first field that is typed into or chosen from, or to what
 * `find` returns.
 */
export function useWantedFocus(pane: string, form: RefObject<HTMLElement | null>, find: FindTarget = firstField): void {
  const isWanted = useWanted((state) => state.pane === pane);
  useEffect(() => {
    // No longer wanted if the page without a book that this pane comes after has just gone.
    if (!isWanted || useWanted.getState().pane !== pane) return;
    useWanted.setState({ pane: undefined });
    if (form.current !== null) find(form.current)?.focus();
  }, [isWanted, pane, form, find]);
}

/** For what a page shows instead of a book and its panes: a focus wanted meanwhile is not taken by a pane that comes later. */
export function useNoPaneFocus(): void {
  useEffect(() => () => useWanted.setState({ pane: undefined }), []);
}
