import { firstIssue, WireFormatError, type z } from '@l4desk/protocol';

/** An answer that has the shape it must have, fields we do not know kept; WireFormatError with the way to the first problem. */
export function checkedAnswer<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  const joint = path === '' || path.startsWith('[') ? '' : '.';
  throw new WireFormatError(`${name}${joint}${path}`, problem);
}
