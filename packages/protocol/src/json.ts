import { WireFormatError } from './wire-format-error.ts';

/** The value of a JSON text; undefined, which JSON cannot express, for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same, but throws WireFormatError with `path` if the text is not JSON. */
export function readJson(text: string, path: string): unknown {
  const value = parsedJson(text);
  if (value === undefined) throw new WireFormatError(path, 'must be JSON');
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
