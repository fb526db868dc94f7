/** A capture cannot be replayed. The message names the file, the line number if there is one, and the problem. */
export class CaptureError extends Error {
  readonly code = 'bad_capture';
  readonly retryable = false;
  readonly file: string;
  readonly line: number | null;

  constructor(file: string, line: number | null, problem: string, options?: ErrorOptions) {
    super(`${file}${line === null ? '' : `, line ${line}`}: ${problem}`, options);
    this.name = 'CaptureError';
    this.file = file;
    this.line = line;
  }
}
