/** What one piece of a response costs in memory beside its bytes: an upstream may send it a byte at a time. */
const PIECE_BYTES = 128;

/** The memory of one response, while it is read. */
export interface ResponseHold {
  /** Takes memory for a piece of this many bytes; says how it went. */
  add(length: number): 'held' | 'too-large' | 'no-room';
  /** Gives all of it back. */
  release(): void;
}

/**
 * Bounds the memory of all responses that are being read and checked: each by a limit of its own, all of them by a total. What
 * an upstream sends must not be a way to fill the memory (UP-28, UP-29).
 */
export class ResponseMemory {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes held at the moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a response of at most `responseBytesMax`. */
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
