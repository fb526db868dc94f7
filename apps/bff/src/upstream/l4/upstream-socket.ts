import { WebSocket } from 'ws';

/** Most bytes of one upstream message: a snapshot of the largest book is about 16 MB. */
const MESSAGE_BYTES_MAX = 512 * 1024 * 1024;

const HANDSHAKE_MS = 10_000;

/** Opens a socket to an order-level server. Its listeners are added before anything can happen on it. */
export function openUpstream(url: string): WebSocket {
  return new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
  });
}
