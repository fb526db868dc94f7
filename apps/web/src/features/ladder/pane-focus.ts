import { type RefObject, useEffect } from 'react';
import { create } from 'zustand';

/** The pane whose first field takes the focus once it is there. */
const useWanted = create<{ readonly pane: string | undefined }>()(() => ({ pane: undefined }));

/** A command that opens a pane for typing into it. */
export function focusIn(pane: string): void {
  useWanted.setState({ pane });
}

/** Moves the focus to the first field that is typed into or chosen from, when a command has opened this pane for it. */
export function useWantedFocus(pane: string, form: RefObject<HTMLElement | null>): void {
  const isWanted = useWanted((state) => state.pane === pane);
  useEffect(() => {
    if (!isWanted) return;
    useWanted.setState({ pane: undefined });
    form.current?.querySelector<HTMLElement>('select, input:not([type=radio])')?.focus();
  }, [isWanted, form]);
}
