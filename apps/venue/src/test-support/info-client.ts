import type { Venue } from '../server.ts';

export interface InfoAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Posts a body to the info API: an object as JSON, a text as it is. */
export async function askInfo(
  venue: Pick<Venue, 'infoUrl'>,
  body: unknown,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<InfoAnswer> {
  const response = await fetch(venue.infoUrl, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** The JSON of a good answer; throws at any other. */
export async function infoJson(venue: Pick<Venue, 'infoUrl'>, body: object): Promise<unknown> {
  const { status, text } = await askInfo(venue, body);
  if (status !== 200) throw new Error(`${JSON.stringify(body)} was answered with ${status} ${text}`);
  return JSON.parse(text);
}
