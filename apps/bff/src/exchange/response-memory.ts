/** Memory overhead of one chunk of a response. It is counted because an upstream may send one byte at a time. */
const PIECE_BYTES = 128;

/** The memory held by one response while it is read. */
export interface ResponseHold {
  /** Reserves memory for a chunk of `length` bytes, unless a limit would be exceeded. */
  add(length: number): 'held' | 'too-large' | 'no-room';
  /** Releases all memory of the response. */
  release(): void;
}

/**
 * Bounds the memory of responses that are being read and checked, per response and in total, so that an upstream cannot
 * exhaust the memory.
 */
export class ResponseMemory {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes currently held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Starts accounting for a response of at most `responseBytesMax` bytes. */
  hold(responseBytesMax: number): ResponseHold {
    let held = 0;
    return {
      add: (length) => {
        const bytes = length + PIECE_BYTES;
        if (held + bytes > responseBytesMax + PIECE_BYTES) return 'too-large';
        if (this.#bytes + bytes > this.#bytesMax) return 'no-room';
        held += bytes;
        this.#bytes += bytes;
        return 'held';
      },
      release: () => {
        this.#bytes -= held;
        held = 0;
      },
    };
  }
}
