/** An error keeps only its class, sentence and stack across threads: causes may hold sockets, which cannot be posted. */
export function withPlainError(fields: object): object {
  if (!('err' in fields) || !(fields.err instanceof Error)) return fields;
  return { ...fields, err: { type: fields.err.name, message: fields.err.message, stack: fields.err.stack } };
}
