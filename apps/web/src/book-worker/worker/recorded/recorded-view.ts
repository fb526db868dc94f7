import { type History, placeAtHeight, placeOfMark } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';
import { RecordingError } from '@l4desk/recording';
import type { TravelTo } from '../../panes/past.ts';
import type { Position } from '../../position.ts';
import type { OpenedRecording, OpenOutcome } from '../../recorded.ts';
import { ticksOf } from '../book-ticks.ts';
import { type Past, placeAfter } from '../past/past.ts';
import { RecordedLine } from './recorded-line.ts';

/** The longest step that is counted in blocks; of a longer one that leaves the held part, blocks are heights. */
const STEP_MAX = 1_000;

/** The heights to hold: the part around `height`, which ends at `until` or later. */
interface Part {
  readonly height: number;
  readonly until: number;
}

export interface RecordedViewDeps {
  readonly past: Past;
  readonly coin: () => string;
  /** Another moment is shown, or a travel has failed. */
  readonly onMoved: () => void;
}

interface Moment {
  readonly line: History;
  readonly place: number;
  readonly position: Position;
}

export class RecordedView {
  readonly #deps: RecordedViewDeps;
  #opened: RecordedLine | undefined;
  #moment: Moment | undefined;
  #ticks: readonly DecimalString[] = [];
  /** Travels requested while something is read: the last one to a height or time, and the steps after it. */
  #waiting: TravelTo[] = [];
  #isReading = false;
  #opens = 0;
  #problem: string | undefined;

  constructor(deps: RecordedViewDeps) {
    this.#deps = deps;
  }

  /** The recording, if it is of the followed coin; one of another coin waits until that coin is followed. */
  get shown(): OpenedRecording | undefined {
    const facts = this.#opened?.facts;
    if (facts === undefined || facts.coin !== this.#deps.coin()) return undefined;
    return this.#problem === undefined ? facts : { ...facts, problem: this.#problem };
  }

  get ticks(): readonly DecimalString[] | undefined {
    return this.shown === undefined ? undefined : this.#ticks;
  }

  get moment(): Moment | undefined {
    return this.shown === undefined ? undefined : this.#moment;
  }

  /** Opens a file. A failure is returned as a readable problem, and whatever is shown stays. */
  async open(file: Blob, name: string): Promise<OpenOutcome> {
    this.#opens += 1;
    const open = this.#opens;
    try {
      const line = await RecordedLine.open(file, name);
      if (open !== this.#opens) return { kind: 'refused', problem: 'Another recording was opened meanwhile.' };
      this.#opened = line;
      this.#problem = undefined;
      this.#waiting = [];
      this.#stand(line.line.first);
      this.#ticks = ticksOf(line.line.bookAt(line.line.first));
      this.show();
      return { kind: 'opened', coin: line.facts.coin };
    } catch (error) {
      return { kind: 'refused', problem: problemOf(error) };
    }
  }

  show(): void {
    if (this.shown === undefined) this.#deps.past.recorded = undefined;
    else {
      this.#deps.past.recorded = this.#opened;
      this.#deps.onMoved();
    }
  }

  close(): void {
    this.#opens += 1;
    this.#opened = undefined;
    this.#moment = undefined;
    this.#waiting = [];
    this.#deps.past.recorded = undefined;
  }

  /** Goes to another moment, at once if it is already read. Loop "journeys": the travels requested meanwhile follow. */
  async travel(to: TravelTo): Promise<void> {
    this.#waiting = queued(this.#waiting, to);
    if (this.#isReading) return;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#go(next);
  }

  /** Goes to the first block of the whole recording that has an order; resolves to whether there is one. */
  async seek(oid: number): Promise<boolean> {
    const opened = this.#opened;
    try {
      const height = await opened?.heightOf(oid);
      if (height === undefined || opened !== this.#opened) return false;
      await this.travel({ kind: 'height', height });
      return true;
    } catch (error) {
      this.#problem = problemOf(error);
      this.#deps.onMoved();
      return false;
    }
  }

  async #go(to: TravelTo): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    for (let part = this.#partToRead(opened, to); part !== undefined; ) {
      if (!(await this.#load(opened, part))) return;
      // Blocks that change nothing have no place, so a step may need more heights than it has blocks.
      part = to.kind === 'step' && to.blocks > 0 ? this.#partToRead(opened, to) : undefined;
    }
    const { line } = opened;
    this.#stand(Math.min(line.last, Math.max(line.first, placeAfter(line, to, this.#here(line)))));
    this.#problem = undefined;
    this.#deps.onMoved();
  }

  /** Resolves to whether the part was read, and the recording is still the opened one. */
  async #load(opened: RecordedLine, { height, until }: Part): Promise<boolean> {
    this.#isReading = true;
    try {
      await opened.load(height, until);
    } catch (error) {
      if (opened !== this.#opened) return false;
      this.#problem = problemOf(error);
      // The shown moment stays, in what is held now.
      if (this.#moment !== undefined) this.#stand(this.#here(opened.line));
      this.#deps.onMoved();
      return false;
    } finally {
      this.#isReading = false;
    }
    return opened === this.#opened;
  }

  /** What must be read for a travel; undefined if it is already held. */
  #partToRead(opened: RecordedLine, to: TravelTo): Part | undefined {
    const { line, facts } = opened;
    const within = (height: number) => Math.min(facts.to.height, Math.max(facts.from.height, height));
    if (to.kind !== 'step') {
      const height = within(to.kind === 'height' ? to.height : opened.heightAt(to.time));
      return opened.has(height) ? undefined : { height, until: height };
    }
    const place = placeAfter(line, to, this.#here(line));
    const here = this.#moment?.position.height ?? facts.from.height;
    if (place < line.first && line.markAt(line.first).height > facts.from.height) {
      const height = within(here + to.blocks);
      // Up to here, because the step is counted from here.
      return { height, until: Math.min(here, height + STEP_MAX) };
    }
    const { height: end } = line.markAt(line.last);
    if (place <= line.last || end >= facts.to.height) return undefined;
    return { height: here, until: within(end + place - line.last) };
  }

  /** The place of the shown moment. Each part that is read has places of its own. */
  #here(line: History): number {
    if (this.#moment === undefined) return line.first;
    const { line: its, place, position } = this.#moment;
    return its === line ? place : (placeOfMark(line, position) ?? placeAtHeight(line, position.height));
  }

  #stand(place: number): void {
    const { line } = this.#opened ?? {};
    if (line === undefined) return;
    const { time, ...mark } = line.markAt(place);
    this.#moment = { line, place, position: { ...mark, blockTime: time } };
  }
}

/** A step is added to the one that waits; to another moment supersedes everything that waits. */
function queued(waiting: readonly TravelTo[], to: TravelTo): TravelTo[] {
  if (to.kind !== 'step') return [to];
  const last = waiting.at(-1);
  if (last?.kind !== 'step') return [...waiting, to];
  return [...waiting.slice(0, -1), { kind: 'step', blocks: last.blocks + to.blocks }];
}

function problemOf(error: unknown): string {
  if (error instanceof RecordingError) return error.message;
  // Damage can make a decoder throw any error.
  return `The recording cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}
