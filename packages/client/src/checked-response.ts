import { firstIssue, fits, WireFormatError, type z } from '@l4desk/protocol';

/** An response that has the shape it must have, as it came; WireFormatError with the way to the first problem. */
export function checkedResponse<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  response: unknown,
): z.output<Schema> {
  // No schema of an response changes what it takes: what fits is its own output.
  if (fits(schema, response)) return response;
  const result = schema.safeParse(response);
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  const joint = path === '' || path.startsWith('[') ? '' : '.';
  throw new WireFormatError(`${name}${joint}${path}`, problem);
}
