import { describeFinding, L4Book } from '@l4desk/book';
import { type BlockMark, History } from '@l4desk/insight';
import {
  type Inflate,
  openRecording,
  type RecordedBlock,
  RecordingError,
  type RecordingReader,
  type RecordingSource,
} from '@l4desk/recording';
import type { KeptGap } from '../../panes/past.ts';
import type { OpenedRecording, RecordedBlockMark } from '../../recorded.ts';

/** The reader's reason for a gap of corrupted bytes. */
const DAMAGED = 'damaged';

/** How much of a recording is held around the requested moment. */
export interface HeldAround {
  /** Blocks held before it, as heights; earlier blocks only build the book and are not kept. */
  readonly behind: number;
  /** Blocks and changes held after it, and books behind gaps, so that playback needs no reading for a while. */
  readonly ahead: { readonly blocks: number; readonly changes: number; readonly books: number };
}

const HELD_AROUND: HeldAround = { behind: 2_000, ahead: { blocks: 1_000, changes: 40_000, books: 4 } };

/**
 * A recording for time travel. The blocks around the shown moment are held as a history, which answers everything the panes
 * request. They are read from the preceding keyframe, block by block, and checked against every checksum on the way. The rest
 * stays in the file.
 */
export class RecordedLine {
  #facts: OpenedRecording;
  readonly #reader: RecordingReader;
  readonly #around: HeldAround;
  /** Known times by ascending height; times between them are interpolated linearly. */
  readonly #known: RecordedBlockMark[];
  #line: History;

  private constructor(reader: RecordingReader, around: HeldAround, facts: OpenedRecording, line: History) {
    this.#reader = reader;
    this.#around = around;
    this.#facts = facts;
    this.#known = [facts.from, facts.to];
    this.#line = line;
    this.#learn();
  }

  /** Opens a recording at its start. Throws RecordingError with a readable message. */
  static async open(
    source: RecordingSource,
    inflate: Inflate,
    name: string,
    around = HELD_AROUND,
  ): Promise<RecordedLine> {
    const reader = await openRecording(source, inflate);
    const { range, header } = reader;
    if (range === null) throw new RecordingError('not_recorded', 'The recording holds no book.');
    const line = await readAround(reader, range.from, around);
    const start = line.markAt(line.first);
    const from = { height: start.height, time: start.time };
    let to = from;
    for await (const event of reader.events(range.to)) {
      if (event.kind === 'keyframe') to = { height: event.keyframe.height, time: event.keyframe.time };
      else if (event.kind === 'block') to = { height: event.block.height, time: event.block.time };
    }
    const ledger = [...reader.gaps];
    if (from.height > range.from) ledger.unshift({ after: range.from - 1, before: from.height, reason: DAMAGED });
    const facts = {
      name,
      coin: header.coin,
      source: header.source,
      from,
      to,
      gaps: ledger.map(({ after, before, reason }, id): KeptGap => {
        const time = (height: number) => evenly([from, to], height);
        const end = before ?? to.height;
        return { id, from: { height: after, time: time(after) }, to: { height: end, time: time(end) }, reason };
      }),
      isCut: reader.end.kind === 'cut',
    };
    const opened = new RecordedLine(reader, around, facts, line);
    opened.#noteDamage();
    return opened;
  }

  get facts(): OpenedRecording {
    return this.#facts;
  }

  /** The part that is currently read. */
  get line(): History {
    return this.#line;
  }

  /** Whether a height is within the part that is read. */
  has(height: number): boolean {
    const line = this.#line;
    return height >= line.markAt(line.first).height && height <= line.markAt(line.last).height;
  }

  /** Reads the part around a height. Throws RecordingError. */
  async load(height: number): Promise<void> {
    this.#line = await readAround(this.#reader, height, this.#around);
    this.#learn();
    this.#noteDamage();
  }

  /** Height of the first recorded block that has an order, searched from start to end; undefined if none has it. */
  async heightOf(oid: number): Promise<number | undefined> {
    const isIt = (one: { readonly oid: number }) => one.oid === oid;
    for await (const event of this.#reader.events(this.#facts.from.height)) {
      if (event.kind === 'keyframe' && event.keyframe.levels.some((side) => side.some(isIt)))
        return event.keyframe.height;
      if (event.kind === 'block' && event.block.changes.some(isIt)) return event.block.height;
    }
    return undefined;
  }

  timeAt(height: number): number {
    return evenly(this.#known, height);
  }

  heightAt(time: number): number {
    const known = this.#known.map((mark) => ({ height: mark.time, time: mark.height }));
    return Math.round(evenly(known, time));
  }

  /** Activity in equal parts of the time, measured in bytes of the blocks, which need not be read for it. */
  activity(bars: number): readonly number[] {
    const { from, to } = this.#facts;
    const counts = Array.from({ length: bars }, () => 0);
    const span = Math.max(1, to.time - from.time);
    for (const { from: first, to: last, bytes } of this.#reader.stretches) {
      const share = (this.timeAt((first + last) / 2) - from.time) / span;
      const bar = Math.min(bars - 1, Math.max(0, Math.floor(share * bars)));
      counts[bar] = (counts[bar] as number) + bytes;
    }
    return counts;
  }

  /** Damage is only found by reading: from then on it is listed as a gap. */
  #noteDamage(): void {
    const { gaps } = this.#facts;
    const found = this.#line.gaps
      .filter(({ reason, from }) => reason === DAMAGED && !gaps.some((gap) => gap.from.height === from.height))
      .map(({ from, to, reason }, index): KeptGap => {
        const ends = { from: { height: from.height, time: from.time }, to: { height: to.height, time: to.time } };
        return { id: gaps.length + index, ...ends, reason };
      });
    if (found.length > 0) this.#facts = { ...this.#facts, gaps: [...gaps, ...found] };
  }

  /** The times at the ends of what was read are known exactly from now on. */
  #learn(): void {
    const line = this.#line;
    for (const place of [line.first, line.last]) {
      const { height, time } = line.markAt(place);
      const at = this.#known.findIndex((mark) => mark.height >= height);
      if (this.#known[at]?.height !== height) this.#known.splice(at < 0 ? this.#known.length : at, 0, { height, time });
    }
  }
}

/** A book being advanced to the first block that is held. */
interface Lead {
  readonly book: L4Book;
  mark: BlockMark;
}

/** Reads a history around a height: from the preceding keyframe, held from `behind` heights before it on. */
async function readAround(reader: RecordingReader, height: number, { behind, ahead }: HeldAround): Promise<History> {
  const { coin } = reader.header;
  const line = new History(coin);
  let reason = 'not recorded';
  let lead: Lead | undefined;
  const arrive = () => {
    if (lead !== undefined) line.adopt(lead.book, lead.mark, reason);
    lead = undefined;
  };
  const read = { blocks: 0, changes: 0, books: 0 };
  for await (const event of reader.events(height)) {
    if (event.kind === 'gap') {
      arrive();
      reason = event.gap.reason;
    } else if (event.kind === 'keyframe') {
      arrive();
      const { levels, checksum, epoch, height: at, time, seq } = event.keyframe;
      const last = line.first < 0 ? undefined : line.markAt(line.last);
      // Within a continuous stretch the keyframe equals the book that its blocks produced.
      if (last?.height === at && last.seq === seq) {
        expectChecksum(line.newestBook(), checksum, at);
        continue;
      }
      if (at > height && line.first >= 0) {
        if (read.books >= ahead.books) break;
        read.books += 1;
      }
      const { book, findings } = L4Book.build(coin, levels);
      const [finding] = findings;
      if (finding !== undefined) throw damaged(at, describeFinding(finding));
      expectChecksum(book, checksum, at);
      lead = { book, mark: { epoch, height: at, time, seq } };
    } else if (lead !== undefined && event.block.height < height - behind) {
      follow(lead, event.block);
    } else {
      arrive();
      const { changes, statuses, checksum, ...mark } = event.block;
      const { epoch } = line.markAt(line.last);
      if (line.add({ coin, epoch, ...mark, changes, statuses }) === undefined) throw doesNotFollow(mark.height);
      if (checksum !== undefined) expectChecksum(line.newestBook(), checksum, mark.height);
      if (mark.height <= height) continue;
      read.blocks += 1;
      read.changes += changes.length;
      if (read.blocks >= ahead.blocks || read.changes >= ahead.changes) break;
    }
  }
  arrive();
  if (line.first < 0) throw new RecordingError('damaged', `The keyframe before block ${height} is damaged.`);
  return line;
}

/** Applies a block that is not held to the book. */
function follow(lead: Lead, { height, time, seq, prevSeq, changes, statuses, checksum }: RecordedBlock): void {
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

/** Interpolates the time of a height between known ones. */
function evenly(known: readonly RecordedBlockMark[], height: number): number {
  const next = known.findIndex((mark) => mark.height >= height);
  const b = known[next < 0 ? known.length - 1 : next];
  const a = known[(next < 0 ? known.length - 1 : next) - 1];
  if (b === undefined) return 0;
  if (a === undefined || next < 0 || b.height === a.height) return b.time;
  return a.time + ((height - a.height) / (b.height - a.height)) * (b.time - a.time);
}
