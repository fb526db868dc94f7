import { describeFinding, L4Book } from '@l4desk/book';
import { type BlockMark, History } from '@l4desk/insight';
import {
  type Keyframe,
  type RecordedBlock,
  RecordingError,
  type RecordingEvent,
  type RecordingReader,
} from '@l4desk/recording';

interface Lead {
  readonly book: L4Book;
  mark: BlockMark;
}

/**
 * A part of a recording, read from a keyframe forward into a history and checked against every checksum on the way. It can be
 * continued at any time. If that fails, it throws RecordingError; then nothing more can be read, and the history is not to be used.
 */
export class Reading {
  readonly line: History;
  readonly #events: AsyncGenerator<RecordingEvent, void, undefined>;
  readonly #keepFrom: number;
  #height = -1;
  #lead: Lead | undefined;
  /** Why blocks before the next book are missing. */
  #reason = 'not recorded';
  #isOver = false;

  /** Begins at the keyframe before `height`; blocks below `keepFrom` only build the book and are not held. */
  constructor(reader: RecordingReader, height: number, keepFrom: number) {
    this.line = new History(reader.header.coin);
    this.#events = reader.events(height);
    this.#keepFrom = keepFrom;
  }

  /** Height of the last book or block that was read without a failure. */
  get height(): number {
    return this.#height;
  }

  /** Whether nothing more can be read: it is at the end of the recording, or has failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads while something is wanted and not over. Every book that was read is held afterwards. */
  async readWhile(isWanted: (height: number) => boolean): Promise<void> {
    try {
      while (!this.#isOver && isWanted(this.#height)) await this.#readNext();
      this.#arrive();
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  async #readNext(): Promise<void> {
    const { value: event } = await this.#events.next();
    switch (event?.kind) {
      case undefined:
        this.#isOver = true;
        return;
      case 'gap':
        this.#arrive();
        this.#reason = event.gap.reason;
        return;
      case 'keyframe':
        this.#arrive();
        this.#begin(event.keyframe);
        this.#height = event.keyframe.height;
        return;
      case 'block':
        this.#follow(event.block);
        this.#height = event.block.height;
    }
  }

  #begin({ levels, checksum, epoch, height, time, seq }: Keyframe): void {
    const { line } = this;
    const last = line.first < 0 ? undefined : line.markAt(line.last);
    // Within a continuous stretch the keyframe equals the book that its blocks produced.
    if (last?.height === height && last.seq === seq) return expectChecksum(line.newestBook(), checksum, height);
    const { book, findings } = L4Book.build(line.coin, levels);
    const [finding] = findings;
    if (finding !== undefined) throw damaged(height, describeFinding(finding));
    expectChecksum(book, checksum, height);
    this.#lead = { book, mark: { epoch, height, time, seq } };
  }

  #follow(block: RecordedBlock): void {
    if (this.#lead !== undefined && block.height < this.#keepFrom) return advance(this.#lead, block);
    this.#arrive();
    const { line } = this;
    const { changes, statuses, checksum, ...mark } = block;
    const { epoch, seq } = line.markAt(line.last);
    if (mark.prevSeq !== seq) throw doesNotFollow(mark.height);
    if (line.add({ coin: line.coin, epoch, ...mark, changes, statuses }) === undefined)
      throw damaged(mark.height, 'it contradicts the book before it');
    if (checksum !== undefined) expectChecksum(line.newestBook(), checksum, mark.height);
  }

  #arrive(): void {
    if (this.#lead !== undefined) this.line.adopt(this.#lead.book, this.#lead.mark, this.#reason);
    this.#lead = undefined;
  }
}

function advance(lead: Lead, { height, time, seq, prevSeq, changes, statuses, checksum }: RecordedBlock): void {
  const { book, mark } = lead;
  if (prevSeq !== mark.seq) throw doesNotFollow(height);
  const [finding] = book.apply(changes, statuses, time);
  if (finding !== undefined) throw damaged(height, describeFinding(finding));
  if (checksum !== undefined) expectChecksum(book, checksum, height);
  lead.mark = { epoch: mark.epoch, height, time, seq };
}

function doesNotFollow(height: number): RecordingError {
  return damaged(height, 'it does not follow the block before it');
}

function expectChecksum(book: L4Book, checksum: string, height: number): void {
  if (book.checksum() !== checksum) throw damaged(height, 'its book is not the one that was recorded');
}

function damaged(height: number, what: string): RecordingError {
  return new RecordingError('damaged', `The recording is damaged at block ${height}: ${what}.`);
}
