/** What is wrong with a recording, for callers that act on it. */
export type RecordingErrorCode =
  /** The file isn't a recording, or has a newer version. */
  | 'not_a_recording'
  /** Bytes of the file were changed, or its end is missing. */
  | 'damaged'
  /** The recording doesn't have the requested height: it is before the start, after the end, or in a gap. */
  | 'not_recorded';

/** Thrown when a recording cannot be read as requested. The message is one sentence. */
export class RecordingError extends Error {
  readonly code: RecordingErrorCode;
  readonly retryable = false;

  constructor(code: RecordingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordingError';
    this.code = code;
  }
}
