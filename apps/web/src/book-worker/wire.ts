import type { FromWorker } from './messages.ts';
import type { PanesFrame } from './panes.ts';

type FrameMessage = Extract<FromWorker, { kind: 'frame' }>;

/**
 * A message of the worker as it travels to the page. A cloned object lives until the browser's collector finds its event. At
 * fifteen frames a second that is much memory, so what the panes show travels as JSON bytes that are handed over.
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
