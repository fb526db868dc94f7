/** Whether a place is the URL of a PostgreSQL database rather than a directory. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}
