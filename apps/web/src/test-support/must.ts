/** The value, where the test cannot go on without it. */
export function must<T>(value: T | undefined | null, what = 'a value'): T {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`);
  return value;
}
