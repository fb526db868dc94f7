import { firstIssue, fits, WireFormatError, type z } from '@l4desk/protocol';

/**
 * Returns the response unchanged if it matches the schema. Otherwise throws WireFormatError with the path of the first problem.
 */
export function checkedResponse<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  response: unknown,
): z.output<Schema> {
  // No response schema transforms its input, so a response that matches is its own output.
  if (fits(schema, response)) return response;
  const result = schema.safeParse(response);
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error, name);
  throw new WireFormatError(path, problem);
}
