import { type History, placeAtHeight, placeAtTime, placeOfMark } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';
import { type Inflate, RecordingError } from '@l4desk/recording';
import type { TravelTo } from '../../panes/past.ts';
import type { Position } from '../../position.ts';
import type { OpenedRecording, OpenOutcome } from '../../recorded.ts';
import { ticksOf } from '../ladder-view.ts';
import type { Past } from '../past/past.ts';
import { blobSource } from './browser-codec.ts';
import { RecordedLine } from './recorded-line.ts';

export interface RecordedViewDeps {
  readonly past: Past;
  readonly coin: () => string;
  /** The shown moment changed. */
  readonly onMoved: () => void;
  readonly inflate: Inflate;
}

/** A moment of a recording: a place in a part that was read. */
interface Moment {
  readonly line: History;
  readonly place: number;
  readonly position: Position;
}

/** The recording shown in place of the live book, and its shown moment. */
export class RecordedView {
  readonly #deps: RecordedViewDeps;
  #opened: RecordedLine | undefined;
  #moment: Moment | undefined;
  #ticks: readonly DecimalString[] = [];
  /** The last travel requested while another one is loading. */
  #next: TravelTo | undefined;
  #isLoading = false;
  #opens = 0;
  /** Why the last travel failed. */
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
      const line = await RecordedLine.open(blobSource(file), this.#deps.inflate, name);
      if (open !== this.#opens) return { kind: 'refused', problem: 'Another recording was opened meanwhile.' };
      this.#opened = line;
      this.#problem = undefined;
      this.#next = undefined;
      this.#stand(line.line.first);
      this.#ticks = ticksOf(line.line.bookAt(line.line.first));
      this.show();
      return { kind: 'opened', coin: line.facts.coin };
    } catch (error) {
      return { kind: 'refused', problem: problemOf(error) };
    }
  }

  /** Shows the recording if it is of the followed coin. */
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
    this.#next = undefined;
    this.#deps.past.recorded = undefined;
  }

  /** Goes to another moment, at once if it is already read. Loop "journeys": the last travel requested meanwhile follows. */
  async travel(to: TravelTo): Promise<void> {
    if (this.#isLoading) {
      this.#next = to;
      return;
    }
    for (let next: TravelTo | undefined = to; next !== undefined; next = this.#next) {
      this.#next = undefined;
      await this.#go(next);
    }
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
    const height = this.#heightToRead(opened, to);
    if (height !== undefined) {
      this.#isLoading = true;
      try {
        await opened.load(height);
        this.#problem = undefined;
      } catch (error) {
        this.#problem = problemOf(error);
        if (opened === this.#opened) this.#deps.onMoved();
        return;
      } finally {
        this.#isLoading = false;
      }
      if (opened !== this.#opened) return;
    }
    const { line } = opened;
    this.#stand(Math.min(line.last, Math.max(line.first, this.#placeOf(line, to))));
    this.#deps.onMoved();
  }

  /** The height to read around for a travel; undefined if the part already read contains it. */
  #heightToRead(opened: RecordedLine, to: TravelTo): number | undefined {
    const { line, facts } = opened;
    const within = (height: number) => Math.min(facts.to.height, Math.max(facts.from.height, height));
    if (to.kind !== 'step') {
      const height = within(to.kind === 'height' ? to.height : opened.heightAt(to.time));
      return opened.has(height) ? undefined : height;
    }
    const place = this.#placeOf(line, to);
    const here = this.#moment?.position.height ?? facts.from.height;
    if (place < line.first && line.markAt(line.first).height > facts.from.height) return within(here + to.blocks);
    // Read from the current height: blocks that changed nothing have no place of their own.
    if (place > line.last && line.markAt(line.last).height < facts.to.height) return within(here);
    return undefined;
  }

  #placeOf(line: History, to: TravelTo): number {
    switch (to.kind) {
      case 'step':
        return this.#here(line) + to.blocks;
      case 'height':
        return placeAtHeight(line, to.height);
      case 'time':
        return placeAtTime(line, to.time);
    }
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

function problemOf(error: unknown): string {
  if (error instanceof RecordingError) return error.message;
  // Damage can make a decoder throw any error.
  return `The recording cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}
