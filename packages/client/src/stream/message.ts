import {
  type Batch,
  type BookStatus,
  bookStatus,
  decodeUpdates,
  isObject,
  type ResumeOutcome,
  readAs,
  readJson,
  readUpdatesText,
  resumeOutcome,
  type UpstreamStatus,
  upstreamStatus,
  WireFormatError,
} from '@l4desk/protocol';

/** A message from the service on the stream, decoded. */
export type StreamMessage =
  | { readonly kind: 'batch'; readonly batch: Batch }
  | {
      readonly kind: 'acknowledged';
      readonly method: 'subscribe' | 'unsubscribe';
      readonly subscription: unknown;
      /** The outcome of a request to resume. Absent without such a request, or if the service does not support it. */
      readonly resume?: ResumeOutcome;
    }
  | { readonly kind: 'bookStatus'; readonly status: BookStatus }
  | { readonly kind: 'upstream'; readonly upstream: UpstreamStatus }
  | { readonly kind: 'pong' }
  | { readonly kind: 'error'; readonly message: string }
  /** A channel that this client does not know: a later version of the service may have more. */
  | { readonly kind: 'unknown' };

/** Reads one frame. Throws WireFormatError if it is not a message of the protocol. */
export function readStreamMessage(data: unknown): StreamMessage {
  if (typeof data !== 'string') throw new WireFormatError('message', 'must be a text frame');
  const batch = readUpdatesText(data);
  if (batch !== undefined) return { kind: 'batch', batch };
  const root = readJson(data, 'message');
  if (!isObject(root) || typeof root.channel !== 'string') throw new WireFormatError('channel', 'must be a string');
  switch (root.channel) {
    case 'l4BookUpdates':
      if (!isObject(root.data)) throw new WireFormatError('data', 'must be an object');
      return { kind: 'batch', batch: decodeUpdates(root.data.Updates) };
    case 'l4BookStatus':
      return { kind: 'bookStatus', status: readAs(bookStatus, root.data, 'data') };
    case 'l4Upstream':
      return { kind: 'upstream', upstream: readAs(upstreamStatus, root.data, 'data') };
    case 'subscriptionResponse':
      return readAcknowledgement(root.data);
    case 'pong':
      return { kind: 'pong' };
    case 'error':
      return { kind: 'error', message: String(root.data) };
    default:
      return { kind: 'unknown' };
  }
}

function readAcknowledgement(data: unknown): StreamMessage {
  if (!isObject(data)) throw new WireFormatError('data', 'must be an object');
  const { method, subscription, resume } = data;
  if (method !== 'subscribe' && method !== 'unsubscribe') {
    throw new WireFormatError('data.method', 'must be subscribe or unsubscribe');
  }
  if (resume === undefined) return { kind: 'acknowledged', method, subscription };
  return { kind: 'acknowledged', method, subscription, resume: readAs(resumeOutcome, resume, 'data.resume') };
}
