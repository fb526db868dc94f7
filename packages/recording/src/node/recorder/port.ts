/** The messages between the thread that owns the feed and the recorder's thread. */
import type { RecordedFile } from '@l4desk/protocol';
import type { PostedLine, RpcRequest, RpcResponse } from '@l4desk/runtime/node';
import type { RecordingsHealth } from './api.ts';

/** One coin's entry of a block: its JSON text with the recorded statuses, and the feed's checksum of the book after it. */
export interface RecordedEntry {
  readonly coin: string;
  readonly text: Uint8Array;
  readonly checksum: string | undefined;
}

/** Calls of the recorder. */
export interface RecorderCalls {
  list(): Promise<readonly RecordedFile[]>;
}

export type ToRecorder =
  | RpcRequest
  | {
      readonly kind: 'block';
      readonly epoch: string;
      readonly height: number;
      readonly time: number;
      readonly entries: readonly RecordedEntry[];
      /** Total bytes of all texts. */
      readonly bytes: number;
    }
  /** `lost`: why the coin's book was lost; null if it is live. */
  | { readonly kind: 'status'; readonly coin: string; readonly lost: string | null }
  | { readonly kind: 'snapshot'; readonly coin: string; readonly request: number; readonly bytes: Uint8Array }
  | { readonly kind: 'snapshotFailed'; readonly coin: string; readonly request: number; readonly message: string }
  /** Blocks were skipped because the recorder was too far behind. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'close' };

export type FromRecorder =
  | RpcResponse
  | PostedLine
  | { readonly kind: 'fetch'; readonly coin: string; readonly request: number }
  /** This many bytes of blocks were processed. */
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'health'; readonly health: RecordingsHealth };
