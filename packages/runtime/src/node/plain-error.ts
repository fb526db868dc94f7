/** Reduces an error to its name, message and stack before it is posted: a cause may hold sockets, which cannot be cloned. */
export function withPlainError(fields: object): object {
  if (!('err' in fields) || !(fields.err instanceof Error)) return fields;
  return { ...fields, err: { type: fields.err.name, message: fields.err.message, stack: fields.err.stack } };
}
