import { ERROR_CATALOGUE, type ErrorBody, type ErrorEntry, type HttpErrorCode } from '@l4desk/protocol';

/** An error of the catalogue with an example of its body. */
export interface ReferenceError extends ErrorEntry {
  readonly body: ErrorBody;
}

/** The fields that only some errors have, as they could be. */
const EXAMPLE_FIELDS: Partial<Readonly<Record<HttpErrorCode, Partial<ErrorBody>>>> = {
  invalid_request: { path: 'users[3]' },
  unsupported_type: { type: 'openorders' },
  unknown_coin: { path: 'coin' },
  unsupported_coin: { path: 'coin' },
  credits_exhausted: { needed: 25, used: 1_050_000, limit: 1_050_000, resets_at: 1_796_083_200_000 },
};

/** The closed list, as the reference shows it. */
export const REFERENCE_ERRORS: readonly ReferenceError[] = Object.values(ERROR_CATALOGUE).map((entry) => {
  const { code, status, message } = entry;
  return { ...entry, body: { error: code, message, code: status, msg: message, ...EXAMPLE_FIELDS[code] } };
});

/** Headers that a response of a status carries beside its body. */
export function headersOf(status: number): Readonly<Record<string, string>> {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': 'Bearer' };
    case 405:
      return { Allow: 'the methods that the path supports' };
    case 429:
    case 503:
      return { 'Retry-After': 'seconds to wait' };
    default:
      return {};
  }
}
