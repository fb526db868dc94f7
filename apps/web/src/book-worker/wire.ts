import type { FromWorker } from './messages.ts';
import type { PanesFrame } from './panes.ts';

type FrameMessage = Extract<FromWorker, { kind: 'frame' }>;

/**
 * A message of the worker as it travels to the page. An object that comes with a message lives as long as the message's event,
 * until the browser looks for what nobody needs any more: with what the panes show fifteen times a second that is much to
 * keep, and to look through. So it travels as bytes that are handed over, and what is read from them goes with the next frames.
 */
export type WireMessage =
  | Exclude<FromWorker, FrameMessage>
  | (Omit<FrameMessage, 'panes'> & { readonly panes: Uint8Array<ArrayBuffer> });

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function toWire(message: FromWorker): WireMessage {
  return message.kind === 'frame' ? { ...message, panes: encoder.encode(JSON.stringify(message.panes)) } : message;
}

/** What was undefined in the panes is absent. */
export function fromWire(message: WireMessage): FromWorker {
  if (message.kind !== 'frame') return message;
  return { ...message, panes: JSON.parse(decoder.decode(message.panes)) as PanesFrame };
}
