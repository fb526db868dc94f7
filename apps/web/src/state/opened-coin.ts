import { create } from 'zustand';

/** The coin of the recording that is opened; undefined while none is. */
export const useOpenedCoin = create<{ readonly coin: string | undefined }>()(() => ({ coin: undefined }));
