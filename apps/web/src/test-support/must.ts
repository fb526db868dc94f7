/** Returns the value, or throws if it is missing. */
export function must<T>(value: T | undefined | null, what = 'a value'): T {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`);
  return value;
}
