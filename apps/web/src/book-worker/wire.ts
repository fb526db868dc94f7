import type { FromWorker } from './messages.ts';
import type { PanesFrame } from './panes.ts';
import { readText } from './read-text.ts';

type FrameMessage = Extract<FromWorker, { kind: 'frame' }>;

/**
 * A message of the worker as it travels to the page. A cloned object lives until the browser's collector finds its event. At
 * fifteen frames a second that is much memory, so what the panes show travels as JSON bytes that are handed over.
 */
export type WireMessage =
  | Exclude<FromWorker, FrameMessage>
  | (Omit<FrameMessage, 'panes'> & { readonly panes: Uint8Array<ArrayBuffer> });

const encoder = new TextEncoder();

export function toWire(message: FromWorker): WireMessage {
  return message.kind === 'frame' ? { ...message, panes: encoder.encode(JSON.stringify(message.panes)) } : message;
}

/** Reads what the worker sends. */
export class WireReader {
  #spent: ArrayBuffer[] = [];

  /** What was undefined in the panes is absent. */
  read(message: WireMessage): FromWorker {
    if (message.kind !== 'frame') return message;
    const panes = JSON.parse(readText(message.panes)) as PanesFrame;
    this.#spent.push(message.panes.buffer);
    return { ...message, panes };
  }

  /** Bytes that were read: they live as long as their event, unless they are handed over with another message. */
  takeSpent(): readonly ArrayBuffer[] {
    const spent = this.#spent;
    this.#spent = [];
    return spent;
  }
}
