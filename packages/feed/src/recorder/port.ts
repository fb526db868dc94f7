/** The messages between the thread that holds the feed and the recorder's. */
import type { RecordedFile } from '@l4desk/protocol';
import type { RecordingsHealth } from './api.ts';

/** One coin's entry of a block: its JSON text with the statuses that are recorded, and the feed's checksum of the book after it. */
export interface RecordedEntry {
  readonly coin: string;
  readonly text: Uint8Array;
  readonly checksum: string | undefined;
}

export type ToRecorder =
  | {
      readonly kind: 'block';
      readonly epoch: string;
      readonly height: number;
      readonly time: number;
      readonly entries: readonly RecordedEntry[];
      /** Bytes of all texts. */
      readonly bytes: number;
    }
  /** The book of a coin was lost, and why; null: it is live. */
  | { readonly kind: 'status'; readonly coin: string; readonly lost: string | null }
  | { readonly kind: 'snapshot'; readonly coin: string; readonly request: number; readonly bytes: Uint8Array }
  | { readonly kind: 'snapshotFailed'; readonly coin: string; readonly request: number; readonly message: string }
  /** Blocks were left out: the recorder was too far behind. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'list'; readonly id: number }
  | { readonly kind: 'close' };

export type FromRecorder =
  | { readonly kind: 'fetch'; readonly coin: string; readonly request: number }
  /** So many bytes of blocks were taken in. */
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'health'; readonly health: Omit<RecordingsHealth, 'restarts'> }
  | { readonly kind: 'listed'; readonly id: number; readonly files: readonly RecordedFile[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    };
