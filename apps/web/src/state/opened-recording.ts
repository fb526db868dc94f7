import { create } from 'zustand';

interface OpenedRecording {
  readonly coin: string | undefined;
  readonly isWriting: boolean;
}

export const useOpenedRecording = create<OpenedRecording>()(() => ({ coin: undefined, isWriting: false }));
