import type { FoundOrder, FromWorker, ToWorker } from './messages.ts';
import type { ExportOutcome, OpenOutcome } from './recorded.ts';
import { Requests } from './requests.ts';

/** A message of the worker that responds to one request. */
type WorkerResponse = Extract<FromWorker, { readonly kind: 'found' | 'sought' | 'openedRecording' | 'exportedPast' }>;

/** Outcome of a request to a worker that is gone. */
const GONE = { kind: 'refused', problem: 'The page’s worker has ended. Reload the page.' } as const;

/** The requests of the page to its worker that have one response each, matched by their serial. */
export class LiveRequests {
  readonly #post: (message: ToWorker) => void;
  readonly #isOpen: () => boolean;
  readonly #finds = new Requests<FoundOrder | null>();
  readonly #opens = new Requests<OpenOutcome>();
  readonly #exports = new Requests<ExportOutcome>();
  readonly #seeks = new Requests<boolean>();
  #serials = 0;

  /** `isOpen`: whether there is a worker that can respond. */
  constructor(post: (message: ToWorker) => void, isOpen: () => boolean) {
    this.#post = post;
    this.#isOpen = isOpen;
  }

  /** Returns a number that no other request of this page has. */
  nextSerial(): number {
    this.#serials += 1;
    return this.#serials;
  }

  /** Resolves to the order of the shown book with this oid or cloid; null if there is none. */
  find(order: number | string): Promise<FoundOrder | null> {
    if (!this.#isOpen()) return Promise.resolve(null);
    const serial = this.nextSerial();
    return this.#finds.ask(serial, () => this.#post({ kind: 'find', serial, order }));
  }

  /** Shows a recording in place of the live book of its coin. */
  openRecording(file: Blob, name: string): Promise<OpenOutcome> {
    if (!this.#isOpen()) return Promise.resolve(GONE);
    const serial = this.nextSerial();
    return this.#opens.ask(serial, () => this.#post({ kind: 'openRecording', serial, file, name }));
  }

  /** Goes to the first block of the shown recording that has an order; resolves to false if no block has it. */
  seekRecorded(oid: number): Promise<boolean> {
    if (!this.#isOpen()) return Promise.resolve(false);
    const serial = this.nextSerial();
    return this.#seeks.ask(serial, () => this.#post({ kind: 'seek', serial, oid }));
  }

  /** Resolves to the kept minutes as a recording; `source` names where they come from. */
  exportPast(source: string): Promise<ExportOutcome> {
    if (!this.#isOpen()) return Promise.resolve(GONE);
    const serial = this.nextSerial();
    return this.#exports.ask(serial, () => this.#post({ kind: 'exportPast', serial, source }));
  }

  receive(response: WorkerResponse): void {
    switch (response.kind) {
      case 'found':
        return this.#finds.settle(response.serial, response.order);
      case 'sought':
        return this.#seeks.settle(response.serial, response.isThere);
      case 'openedRecording':
        return this.#opens.settle(response.serial, response.outcome);
      case 'exportedPast':
        return this.#exports.settle(response.serial, response.outcome);
    }
  }

  /** The worker has failed or ended: nothing will respond any more. */
  settleAll(): void {
    this.#finds.settleAll(null);
    this.#opens.settleAll(GONE);
    this.#exports.settleAll(GONE);
    this.#seeks.settleAll(false);
  }
}
