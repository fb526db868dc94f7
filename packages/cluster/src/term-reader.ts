import { WireFormatError } from '@l4desk/protocol';
import { type ClusterMessage, decodeMessage, type Frame, Joiner } from './frame.ts';

interface TermReaderEvents {
  readonly message: (message: ClusterMessage) => void;
  /** Another leader, or the first one: nothing continues from before. */
  readonly term: (isFirst: boolean) => void;
  /** Messages were missed, and why. `isOver`: the current term is unknown, too. */
  readonly missed: (detail: string, isOver: boolean) => void;
}

/** Reads the messages of successive terms from the stream's frames, and detects every missing one. */
export class TermReader {
  readonly #events: TermReaderEvents;
  readonly #joiner = new Joiner();
  #term: { readonly id: string; index: number } | null = null;
  #terms = 0;
  #gaps = 0;

  constructor(events: TermReaderEvents) {
    this.#events = events;
  }

  get term(): string | null {
    return this.#term?.id ?? null;
  }

  get terms(): number {
    return this.#terms;
  }

  get gaps(): number {
    return this.#gaps;
  }

  take(frame: Frame): void {
    const { term, index } = frame;
    const current = this.#term;
    if (current === null || current.id !== term) {
      this.#begin(term, index, current === null);
    } else {
      // A repeated message was read before.
      if (index <= current.index) return;
      const isNext = index === current.index + 1;
      const detail = `message ${index} of the term came after ${current.index}`;
      current.index = index;
      if (!isNext) this.#miss(detail, false);
    }
    const bytes = this.#joiner.take(frame);
    if (bytes === null) return;
    const message = read(bytes);
    // It may have been a block.
    if (message instanceof Error) this.#miss(`message ${index} of the term cannot be read: ${message.message}`, false);
    else this.#events.message(message);
  }

  /** The next message does not continue the previous ones. */
  restart(): void {
    if (this.#term === null) return;
    this.#term = null;
    this.#miss('the stream restarted', true);
  }

  #begin(id: string, index: number, isFirst: boolean): void {
    this.#term = { id, index };
    this.#terms += 1;
    this.#joiner.reset();
    this.#events.term(isFirst);
  }

  #miss(detail: string, isOver: boolean): void {
    this.#gaps += 1;
    this.#joiner.reset();
    this.#events.missed(detail, isOver);
  }
}

function read(bytes: Uint8Array): ClusterMessage | WireFormatError {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof WireFormatError) return error;
    throw error;
  }
}
