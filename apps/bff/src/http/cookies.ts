/** Returns the value of a cookie in a `Cookie` header. If a name occurs twice, the first counts. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals >= 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** Creates a `Set-Cookie` value for a cookie that scripts cannot read and pages of other sites cannot send (AUTH-13, AUTH-14). */
export function sessionCookie(name: string, token: string, maxAgeSeconds: number, secure: boolean): string {
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}
