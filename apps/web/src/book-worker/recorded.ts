import type { KeptGap } from './panes/past.ts';

/** The recording that is shown in place of the live book; times are ms since the Unix epoch. */
export interface OpenedRecording {
  /** Of its file. */
  readonly name: string;
  readonly coin: string;
  /** Where its blocks came from. */
  readonly source: string;
  readonly from: RecordedBlockMark;
  readonly to: RecordedBlockMark;
  readonly gaps: readonly KeptGap[];
  /** Its end is missing: it is read up to its last whole frame. */
  readonly isCut: boolean;
  /** Why the last journey in it led nowhere; absent where it did. */
  readonly problem?: string;
}

export interface RecordedBlockMark {
  readonly height: number;
  readonly time: number;
}

/** What came of opening a recording. */
export type OpenOutcome =
  | { readonly kind: 'opened'; readonly coin: string }
  | { readonly kind: 'refused'; readonly problem: string };

/** The kept minutes as the file of a recording. */
export type ExportOutcome =
  | { readonly kind: 'exported'; readonly name: string; readonly file: Blob }
  | { readonly kind: 'refused'; readonly problem: string };
