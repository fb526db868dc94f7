import { create } from 'zustand';

interface OpenedCoin {
  /** The coin of the opened recording; undefined if none is open. */
  readonly coin: string | undefined;
  /** The service was still writing the recording when it was opened. */
  readonly isWriting: boolean;
}

export const useOpenedCoin = create<OpenedCoin>()(() => ({ coin: undefined, isWriting: false }));
