import type { DecimalString, Side } from '@l4desk/protocol';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { Live } from './live.ts';

export interface BookPlace {
  readonly side: Side;
  readonly px: DecimalString;
  readonly oid?: number | undefined;
}

export interface OpenBook {
  readonly coin: string;
  readonly live: Pick<Live, 'find' | 'book' | 'subscribe' | 'verify' | 'retry'>;
  /** Shows a place in this ladder; everything else that the page shows stays. */
  readonly onPlace: (place: BookPlace) => void;
  /** The same for a block: the book is held there, or the page shows what is proven about it. */
  readonly onBlock: (height: number) => void;
}

const NONE: readonly OpenBook[] = [];

const useRegistered = create<{ readonly books: readonly OpenBook[] }>()(() => ({ books: NONE }));

/** Lists the books of the open page while the component is mounted: the one that last had the focus first. Pass a stable list. */
export function useListedBooks(books: readonly OpenBook[]): void {
  useEffect(() => {
    useRegistered.setState({ books });
    return () => useRegistered.setState((now) => (now.books === books ? { books: NONE } : now));
  }, [books]);
}

/** The books of the open page, the one that last had the focus first; empty on a page without a ladder. */
export function useOpenBooks(): readonly OpenBook[] {
  return useRegistered((state) => state.books);
}
