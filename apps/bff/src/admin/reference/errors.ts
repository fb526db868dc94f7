import { ERROR_CATALOGUE, type ErrorBody, type ErrorEntry } from '@l4desk/protocol';
import examples from './examples.json' with { type: 'json' };

/** Example bodies by code: the message with its values filled in, plus the fields that only some errors carry. */
const EXAMPLES: Readonly<Record<string, Partial<ErrorBody>>> = examples.errors;

/** Every error of the catalogue, with an example body. */
export const REFERENCE_ERRORS = Object.values(ERROR_CATALOGUE).map((entry) => {
  const { code, status } = entry;
  const { message = entry.message, ...fields } = EXAMPLES[code] ?? {};
  const body: ErrorBody = { error: code, message, code: status, msg: message, ...fields };
  return { ...entry, body };
});

/** What a document says about errors, by code. */
export function textsByCode(errors: readonly ErrorEntry[]) {
  return Object.fromEntries(
    errors.map(({ code, status, retryable, meaning, remedy }) => [code, { status, retryable, meaning, remedy }]),
  );
}

const RETRY_AFTER = { 'Retry-After': 'seconds to wait' };

/** Additional headers of a response, by status. */
export const HEADERS_BY_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  405: { Allow: 'methods that the path supports' },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
