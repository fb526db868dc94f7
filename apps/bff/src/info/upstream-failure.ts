import { ApiError, errorBody, type HttpErrorCode, parsedJson } from '@l4desk/protocol';
import { BUSY_TEXTS, UpstreamError } from '../exchange/upstream-error.ts';

/** Converts an upstream failure into the error that the client sees (D12). */
export function upstreamRefusal(error: UpstreamError): ApiError {
  const { failure } = error;
  switch (failure.kind) {
    case 'timeout':
      return new ApiError('upstream_timeout', `The exchange did not respond within ${failure.afterMs} ms.`, {
        cause: error,
      });
    case 'busy':
      return busy(BUSY_TEXTS[failure.reason], failure.retryAfterMs, error);
    case 'status':
      // Another instance of this service reports that its own upstream is busy.
      if (serviceCodeOf(failure.text) === 'upstream_busy') return busy(BUSY_TEXTS.upstream, 1000, error);
      break;
    case 'unreachable':
    case 'unusable':
      break;
  }
  return new ApiError('upstream_error', `The exchange failed to respond: ${error.message}.`, { cause: error });
}

function busy(text: string, retryAfterMs: number, cause: UpstreamError): ApiError {
  return new ApiError('upstream_busy', `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    cause,
  });
}

/** The error code in an error body of this specification; undefined for any other body. */
export function serviceCodeOf(text: string): HttpErrorCode | undefined {
  return errorBody.safeParse(parsedJson(text)).data?.error;
}

/** Creates the error for a complete response that cannot be used. */
export function unusable(problem: string): UpstreamError {
  return new UpstreamError({ kind: 'unusable', problem });
}
