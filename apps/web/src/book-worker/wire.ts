import type { FromWorker } from './messages.ts';
import type { PanesFrame } from './panes.ts';
import { readText } from './read-text.ts';

type FrameMessage = Extract<FromWorker, { kind: 'frame' }>;

/**
 * A worker message as it is sent to the page. A cloned object lives until the browser's garbage collector finds its event; at
 * fifteen frames a second that adds up. So the panes' content is sent as JSON bytes in a transferred buffer.
 */
export type WireMessage =
  | Exclude<FromWorker, FrameMessage>
  | (Omit<FrameMessage, 'panes'> & { readonly panes: Uint8Array<ArrayBuffer> });

const encoder = new TextEncoder();

const ASCII_MAX = 0x7f;

/**
 * Encodes the worker's messages. A string passed to `TextEncoder` becomes one of the browser's, with the cost described at
 * `readText`.
 */
export class WireWriter {
  #spare: ArrayBuffer | undefined;

  write(message: FromWorker): WireMessage {
    return message.kind === 'frame' ? { ...message, panes: this.#bytes(JSON.stringify(message.panes)) } : message;
  }

  /**
   * Takes back a buffer that the page has read: the next frame is written into it, so neither side leaves it to the garbage
   * collector.
   */
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

/** Decodes the worker's messages. */
export class WireReader {
  #spent: ArrayBuffer | undefined;

  /** Fields of the panes that were undefined are absent in the result. */
  read(message: WireMessage): FromWorker {
    if (message.kind !== 'frame') return message;
    const panes = JSON.parse(readText(message.panes)) as PanesFrame;
    this.#spent = message.panes.buffer;
    return { ...message, panes };
  }

  /** The buffer that was read last, for the caller to hand back; otherwise it would live as long as its event. */
  takeSpent(): ArrayBuffer | undefined {
    const spent = this.#spent;
    this.#spent = undefined;
    return spent;
  }
}
