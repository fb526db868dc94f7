import { ERROR_CATALOGUE } from './error-catalogue.ts';
import { ERROR_CODES, type HttpErrorCode } from './error-codes.ts';

/** Credits that an operation needed, those used this month (UTC), the limit, and when the next month begins, in ms. */
export interface CreditStanding {
  readonly needed: number;
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: number;
  /** Whether it would suffice without the credits held for calls in flight, which may be released; omitted if it would not. */
  readonly heldOnly?: boolean;
}

/** What an error may carry besides its code and message. */
export interface ApiErrorDetails {
  /** The field at fault, for example `users[3]` (D5). */
  readonly path?: string | undefined;
  /** The query kind as sent, for `unsupported_type` (D4). */
  readonly type?: string;
  /** The credits of the account, for `credits_exhausted` (D11). */
  readonly credits?: CreditStanding;
  /** Headers the response needs: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause; logged, never sent (D1). */
  readonly cause?: unknown;
}

/** An error of the closed list (D1). Its message has no secrets: the catalogue's, or a more specific sentence. */
export class ApiError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly credits: CreditStanding | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: HttpErrorCode, details?: ApiErrorDetails);
  constructor(code: HttpErrorCode, message: string, details?: ApiErrorDetails);
  constructor(code: HttpErrorCode, first: string | ApiErrorDetails = {}, second: ApiErrorDetails = {}) {
    const [message, details] = typeof first === 'string' ? [first, second] : [ERROR_CATALOGUE[code].message, first];
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.path = details.path;
    this.type = details.type;
    this.credits = details.credits;
    this.headers = details.headers ?? {};
  }
}
