import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Venue } from '../server.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface InfoResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Posts a body to the info API: an object as JSON, a string as is. */
export async function askInfo(venue: Pick<Venue, 'infoUrl'>, body: unknown): Promise<InfoResponse> {
  const response = await fetch(venue.infoUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/**
 * The JSON of a successful response; throws otherwise. Cheaper than `askInfo`: some tests query hundreds of wallets
 * repeatedly.
 */
export async function infoJson(venue: Pick<Venue, 'infoUrl'>, body: object): Promise<unknown> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const outgoing = request(venue.infoUrl, { method: 'POST', headers, agent }, resolve);
    outgoing.once('error', reject);
    outgoing.end(JSON.stringify(body));
  });
  const said = await text(response);
  if (response.statusCode !== 200) throw new Error(`${JSON.stringify(body)} returned ${response.statusCode} ${said}`);
  return JSON.parse(said);
}
