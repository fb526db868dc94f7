import { type BookViewQuery, bboSubscription, firstIssue, l2BookSubscription } from '@l4desk/protocol';

/** The query of a subscription to one of the exchange's own channels. */
export type ChannelQuery = BookViewQuery | { readonly channel: 'trades'; readonly coin: string };

/** Reads the body of a subscription to a channel of the exchange. Returns undefined for any other type. */
export function readChannel(
  body: Readonly<Record<string, unknown>>,
): { readonly query: ChannelQuery } | { readonly reason: string } | undefined {
  const { type, coin } = body;
  switch (type) {
    case 'allMids':
      return body.dex === undefined || body.dex === null || body.dex === ''
        ? { query: { channel: 'allMids' } }
        : { reason: 'allMids has the mids of followed coins of every dex; leave dex out' };
    case 'trades':
      if (typeof coin !== 'string') return { reason: 'coin must be a coin name' };
      return { query: { channel: 'trades', coin } };
    case 'l2Book':
    case 'bbo': {
      if (typeof coin !== 'string') return { reason: 'coin must be a coin name' };
      const read = (type === 'l2Book' ? l2BookSubscription : bboSubscription).safeParse(body);
      if (read.success) return { query: read.data };
      const { path, problem } = firstIssue(read.error);
      return { reason: `${path} ${problem}`.replaceAll(/[{}]/g, '?') };
    }
    default:
      return undefined;
  }
}
