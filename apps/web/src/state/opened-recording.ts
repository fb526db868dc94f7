import { create } from 'zustand';

interface OpenedRecording {
  /** Undefined if no recording is open. */
  readonly coin: string | undefined;
  /** The service was still writing the recording when it was opened. */
  readonly isWriting: boolean;
}

export const useOpenedRecording = create<OpenedRecording>()(() => ({ coin: undefined, isWriting: false }));
