import type { History } from '@l4desk/insight';
import { openRecording, RecordingError, type RecordingReader } from '@l4desk/recording';
import type { KeptBlock, KeptGap } from '../../panes/past.ts';
import type { OpenedRecording } from '../../recorded.ts';
import { blobSource, inflate } from './browser-codec.ts';
import { Reading } from './reading.ts';

/** The reader's reason for a gap of corrupted bytes. */
const DAMAGED = 'damaged';

/** Blocks held before the shown moment, as heights: a minute of flow is at most 900. Earlier blocks only build the book. */
const BEHIND = 1_000;

/** Heights between known times at least, so that a long playback does not collect one of each block. */
const KNOWN_APART = 100;

/**
 * A recording for time travel. The blocks up to the shown moment are held as a history, which answers everything the panes
 * request. The rest stays in the file.
 */
export class RecordedLine {
  #facts: OpenedRecording;
  readonly #reader: RecordingReader;
  /** Known times by ascending height; times between them are interpolated linearly. */
  readonly #known: KeptBlock[];
  #reading: Reading;
  /** Reading the held part further than this height fails. */
  #damage: { readonly after: number; readonly error: RecordingError } | undefined;

  private constructor(reader: RecordingReader, facts: OpenedRecording, reading: Reading) {
    this.#reader = reader;
    this.#facts = facts;
    this.#known = [facts.from, facts.to];
    this.#reading = reading;
    this.#learn();
  }

  /** Opens a recording at its start. Throws RecordingError with a readable message. */
  static async open(file: Blob, name: string): Promise<RecordedLine> {
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
    const opened = new RecordedLine(reader, facts, reading);
    opened.#noteDamage();
    return opened;
  }

  get facts(): OpenedRecording {
    return this.#facts;
  }

  get line(): History {
    return this.#reading.line;
  }

  has(height: number): boolean {
    const { line } = this;
    return height >= line.markAt(line.first).height && height <= line.markAt(line.last).height;
  }

  /**
   * Holds the part around a height, which ends at `until` or later. Throws RecordingError, and then holds the same as before,
   * perhaps in another history. One call at a time.
   */
  async load(height: number, until = height): Promise<void> {
    const reading = this.#reading;
    const begins = reading.line.markAt(reading.line.first).height;
    const continues = !reading.isOver && height >= begins && until <= reading.height + BEHIND;
    if (continues) await this.#continue(until);
    else {
      this.#reading = await read(this.#reader, height, height - BEHIND, until);
      this.#damage = undefined;
    }
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
  async #continue(until: number): Promise<void> {
    if (this.#damage !== undefined && until > this.#damage.after) throw this.#damage.error;
    const { line } = this;
    const [from, to] = [line.first, line.last].map((place) => line.markAt(place).height) as [number, number];
    try {
      await this.#reading.readWhile((at) => at < until);
    } catch (error) {
      if (error instanceof RecordingError) this.#damage = { after: this.#reading.height, error };
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

  /** The times at the ends of what was read are known exactly from now on, unless one nearby is. */
  #learn(): void {
    const { line } = this;
    for (const place of [line.first, line.last]) {
      const { height, time } = line.markAt(place);
      if (this.#known.some((mark) => Math.abs(mark.height - height) < KNOWN_APART)) continue;
      const at = this.#known.findIndex((mark) => mark.height > height);
      this.#known.splice(at, 0, { height, time });
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

/** Interpolates the time of a height between known ones. */
function evenly(known: readonly KeptBlock[], height: number): number {
  const next = known.findIndex((mark) => mark.height >= height);
  const b = known[next < 0 ? known.length - 1 : next];
  const a = known[(next < 0 ? known.length - 1 : next) - 1];
  if (b === undefined) return 0;
  if (a === undefined || next < 0 || b.height === a.height) return b.time;
  return a.time + ((height - a.height) / (b.height - a.height)) * (b.time - a.time);
}
