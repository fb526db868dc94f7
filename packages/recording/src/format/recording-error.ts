/** What is wrong with a recording, for callers that act on it. */
export type RecordingErrorCode =
  /** The file isn't a recording, or is of a newer version. */
  | 'not_a_recording'
  /** Bytes of the file were changed, or its end is missing. */
  | 'damaged'
  /** A height that the recording doesn't have: before its start, after its end, or in a gap. */
  | 'not_recorded';

/** A recording that cannot be read as asked; the message is one sentence. */
export class RecordingError extends Error {
  readonly code: RecordingErrorCode;
  readonly retryable = false;

  constructor(code: RecordingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordingError';
    this.code = code;
  }
}
