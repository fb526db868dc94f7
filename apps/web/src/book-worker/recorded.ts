import type { KeptBlock, KeptGap } from './panes/past.ts';

/** The recording shown in place of the live book; times are ms since the Unix epoch. */
export interface OpenedRecording {
  readonly name: string;
  readonly coin: string;
  /** Where its blocks came from. */
  readonly source: string;
  readonly from: KeptBlock;
  readonly to: KeptBlock;
  readonly gaps: readonly KeptGap[];
  /** The file is truncated: it is read up to its last complete frame. */
  readonly isCut: boolean;
  /** Why the last time travel within it failed; absent if it succeeded. */
  readonly problem?: string;
}

export type OpenOutcome =
  | { readonly kind: 'opened'; readonly coin: string }
  | { readonly kind: 'refused'; readonly problem: string };

/** The kept minutes as a recording file. */
export type ExportOutcome =
  | { readonly kind: 'exported'; readonly name: string; readonly file: Blob }
  | { readonly kind: 'refused'; readonly problem: string };
