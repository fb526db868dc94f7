import { create } from 'zustand';

/** The coin of the opened recording; undefined if none is open. */
export const useOpenedCoin = create<{ readonly coin: string | undefined }>()(() => ({ coin: undefined }));
