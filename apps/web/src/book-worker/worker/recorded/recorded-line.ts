import type { History } from '@l4desk/insight';
import { openRecording, RecordingError, type RecordingReader } from '@l4desk/recording';
import type { KeptGap } from '../../panes/past.ts';
import type { OpenedRecording, RecordedBlockMark } from '../../recorded.ts';
import { blobSource, inflate } from './browser-codec.ts';
import { Reading } from './reading.ts';

/** The reader's reason for a gap of corrupted bytes. */
const DAMAGED = 'damaged';

/** How much of a recording is held around the shown moment. */
export interface HeldAround {
  /** Blocks held before it, as heights; earlier blocks only build the book and are not kept. */
  readonly behind: number;
  /**
   * Blocks and changes read on after it, and books behind gaps, so that playback waits for no reading. `atOnce` is the number of
   * blocks read in one go: meanwhile the worker responds to nothing.
   */
  readonly ahead: {
    readonly blocks: number;
    readonly changes: number;
    readonly books: number;
    readonly atOnce: number;
  };
}

/** A minute of flow is at most 900 blocks. */
const HELD_AROUND: HeldAround = { behind: 1_000, ahead: { blocks: 1_000, changes: 40_000, books: 4, atOnce: 20 } };

/**
 * A recording for time travel. The blocks around the shown moment are held as a history, which answers everything the panes
 * request. The rest stays in the file.
 */
export class RecordedLine {
  #facts: OpenedRecording;
  readonly #reader: RecordingReader;
  readonly #around: HeldAround;
  /** Known times by ascending height; times between them are interpolated linearly. */
  readonly #known: RecordedBlockMark[];
  #reading: Reading;
  /** Blocks that contradict the recording, each with the last proven height before it: they are not read again and again. */
  readonly #damages: { readonly after: number; readonly error: unknown }[] = [];

  private constructor(reader: RecordingReader, around: HeldAround, facts: OpenedRecording, reading: Reading) {
    this.#reader = reader;
    this.#around = around;
    this.#facts = facts;
    this.#known = [facts.from, facts.to];
    this.#reading = reading;
    this.#learn();
  }

  /** Opens a recording at its start. Throws RecordingError with a readable message. */
  static async open(file: Blob, name: string, around = HELD_AROUND): Promise<RecordedLine> {
    const reader = await openRecording(blobSource(file), inflate);
    const { range, header } = reader;
    if (range === null) throw new RecordingError('not_recorded', 'The recording holds no book.');
    const reading = await read(reader, range.from, range.from);
    const { line } = reading;
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
    const opened = new RecordedLine(reader, around, facts, reading);
    opened.#noteDamage();
    return opened;
  }

  get facts(): OpenedRecording {
    return this.#facts;
  }

  get line(): History {
    return this.#reading.line;
  }

  /** Whether a height is within the part that is held. */
  has(height: number): boolean {
    const { line } = this;
    return height >= line.markAt(line.first).height && height <= line.markAt(line.last).height;
  }

  /**
   * Holds the part around a height, which ends at `until` or later. Throws RecordingError, and then holds the same as before,
   * perhaps in another history. One call at a time, `readOn` included.
   */
  async load(height: number, until = height): Promise<void> {
    const start = this.#reader.keyframes.findLast((keyframe) => keyframe <= height) ?? 0;
    const damage = this.#damages.find(({ after }) => after >= start && after < until);
    if (damage !== undefined) throw damage.error;
    const { behind } = this.#around;
    const reading = this.#reading;
    const begins = reading.line.markAt(reading.line.first).height;
    const continues = !reading.isOver && height >= begins && until <= reading.height + behind;
    if (continues) await this.#continue((at) => at < until);
    else this.#reading = await read(this.#reader, height, height - behind, until);
    this.#learn();
    this.#noteDamage();
  }

  /** Reads a little further, unless enough is held after a place; resolves to whether to go on. Throws like `load`. */
  async readOn(place: number): Promise<boolean> {
    const { ahead } = this.#around;
    const begins = this.line.markAt(this.line.first).height;
    // What is held may extend beyond the last proven height before a damage.
    const end = Math.min(...this.#damages.map(({ after }) => after).filter((after) => after >= begins));
    const isWanted = (at: number) => at < end && !holdsAhead(this.line, place, ahead);
    let blocks = 0;
    await this.#continue((at) => {
      blocks += 1;
      return blocks <= ahead.atOnce && isWanted(at);
    });
    this.#learn();
    this.#noteDamage();
    return !this.#reading.isOver && isWanted(this.#reading.height);
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
      const share = (evenly(this.#known, (first + last) / 2) - from.time) / span;
      const bar = Math.min(bars - 1, Math.max(0, Math.floor(share * bars)));
      counts[bar] = (counts[bar] as number) + bytes;
    }
    return counts;
  }

  /** If reading fails, the same part is read again: a history discards everything with a block that does not fit. */
  async #continue(isWanted: (height: number) => boolean): Promise<void> {
    const { line } = this;
    const [from, to] = [line.first, line.last].map((place) => line.markAt(place).height) as [number, number];
    const reading = this.#reading;
    try {
      await reading.readWhile(isWanted);
    } catch (error) {
      this.#damages.push({ after: reading.provedHeight, error });
      this.#reading = await read(this.#reader, from, from, to);
      throw error;
    }
  }

  /** Damage is only found by reading: from then on it is listed as a gap. */
  #noteDamage(): void {
    const { gaps } = this.#facts;
    const found = this.line.gaps
      .filter(({ reason, from }) => reason === DAMAGED && !gaps.some((gap) => gap.from.height === from.height))
      .map(({ from, to, reason }, index): KeptGap => {
        const ends = { from: { height: from.height, time: from.time }, to: { height: to.height, time: to.time } };
        return { id: gaps.length + index, ...ends, reason };
      });
    if (found.length > 0) this.#facts = { ...this.#facts, gaps: [...gaps, ...found] };
  }

  /** The times at the ends of what was read are known exactly from now on. */
  #learn(): void {
    const { line } = this;
    for (const place of [line.first, line.last]) {
      const { height, time } = line.markAt(place);
      const at = this.#known.findIndex((mark) => mark.height >= height);
      if (this.#known[at]?.height !== height) this.#known.splice(at < 0 ? this.#known.length : at, 0, { height, time });
    }
  }
}

/** Reads from the keyframe before a height to `until`, and holds everything from `keepFrom` on. */
async function read(reader: RecordingReader, height: number, keepFrom: number, until = height): Promise<Reading> {
  const reading = new Reading(reader, height, keepFrom);
  await reading.readWhile((at) => at < until);
  if (reading.line.first >= 0) return reading;
  throw new RecordingError('damaged', `The keyframe before block ${height} is damaged.`);
}

/** Whether enough is held after a place. */
function holdsAhead(line: History, place: number, ahead: HeldAround['ahead']): boolean {
  if (line.last - place >= ahead.blocks) return true;
  let changes = 0;
  let books = 0;
  for (let at = Math.max(place, line.first) + 1; at <= line.last; at += 1) {
    const block = line.blockAt(at);
    if (block === undefined) books += 1;
    else changes += block.count;
  }
  return changes >= ahead.changes || books >= ahead.books;
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
