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

const ASCII_MAX = 0x7f;

/** Writes what the worker sends. A text that is handed to `TextEncoder` becomes one of the browser's, which costs as in `readText`. */
export class WireWriter {
  #spare: ArrayBuffer | undefined;

  write(message: FromWorker): WireMessage {
    return message.kind === 'frame' ? { ...message, panes: this.#bytes(JSON.stringify(message.panes)) } : message;
  }

  /** The page has read these bytes: the next frame goes into them, so that neither side has them to collect. */
  takeBack(spent: ArrayBuffer): void {
    this.#spare = spent;
  }

  #bytes(text: string): Uint8Array<ArrayBuffer> {
    const spare = this.#spare;
    this.#spare = undefined;
    const { length } = text;
    const room = spare !== undefined && spare.byteLength >= length ? spare : new ArrayBuffer(length + (length >> 1));
    const bytes = new Uint8Array(room);
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > ASCII_MAX) return encoder.encode(text);
      bytes[at] = code;
    }
    return bytes.subarray(0, length);
  }
}

/** Reads what the worker sends. */
export class WireReader {
  #spent: ArrayBuffer | undefined;

  /** What was undefined in the panes is absent. */
  read(message: WireMessage): FromWorker {
    if (message.kind !== 'frame') return message;
    const panes = JSON.parse(readText(message.panes)) as PanesFrame;
    this.#spent = message.panes.buffer;
    return { ...message, panes };
  }

  /** The bytes that were read last: handed back, or they live as long as their event. */
  takeSpent(): ArrayBuffer | undefined {
    const spent = this.#spent;
    this.#spent = undefined;
    return spent;
  }
}
