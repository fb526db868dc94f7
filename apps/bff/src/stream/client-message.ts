import { clientMessage, isObject, memberText, parsedJson } from '@l4desk/protocol';

/** A subscription body sent by a client, not yet validated. */
export interface SubscriptionBody {
  readonly value: Readonly<Record<string, unknown>>;
  /** The body exactly as sent, for acknowledgements and errors (D20, D22). */
  readonly text: string;
  readonly depth: number;
}

/** The request in a client's text frame. */
export type ClientRequest =
  | { readonly kind: 'ping' }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly body: SubscriptionBody }
  | ({ readonly kind: 'post' } & PostRequest)
  | { readonly kind: 'post-without-id' | 'garbage' };

/** A query that a client posts (D61), not yet validated. */
export interface PostRequest {
  readonly id: string;
  readonly request: unknown;
}

/** Reads one text frame of a client (§4.7, D21). */
export function readClientMessage(text: string): ClientRequest {
  const value = parsedJson(text);
  const { success, data: message } = clientMessage.safeParse(value);
  if (!success) return { kind: isObject(value) && value.method === 'post' ? 'post-without-id' : 'garbage' };
  switch (message.method) {
    case 'ping':
      return { kind: 'ping' };
    case 'post':
      // Parsing and printing an id could change it: it may be an integer that a double cannot hold.
      return { kind: 'post', id: memberText(text, 'id')?.text ?? 'null', request: message.request };
    case 'subscribe':
    case 'unsubscribe': {
      const member = memberText(text, 'subscription');
      if (member === undefined) return { kind: 'garbage' };
      return { kind: message.method, body: { value: message.subscription, ...member } };
    }
  }
}
