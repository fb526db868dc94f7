import { isObject } from '@l4desk/protocol';
import { type BatchWire, checkBatch, checkSnapshot, type SnapshotWire } from './wire-checks.ts';

/** A message of the stream, parsed and checked: its valid parts, and everything that is wrong with it. */
interface CheckedMessage {
  readonly message: Readonly<Record<string, unknown>> | undefined;
  /** The content of an `l4BookUpdates` message. */
  readonly batch: BatchWire | undefined;
  readonly problems: readonly string[];
}

interface CheckedSnapshot {
  readonly snapshot: SnapshotWire | undefined;
  readonly problems: readonly string[];
}

/**
 * Parses and checks the service's messages. Clients that share an instance receive many identical messages, so each text is
 * parsed once.
 */
export class CheckedTexts {
  readonly #kept: number;
  readonly #messages = new Map<string, CheckedMessage>();
  readonly #snapshots = new Map<string, CheckedSnapshot>();

  /** `kept`: how many texts of a kind to remember, for other clients that are about to receive them. */
  constructor(kept = 0) {
    this.#kept = kept;
  }

  message(text: string): CheckedMessage {
    return remembered(this.#messages, this.#kept, text, () => checkMessage(text));
  }

  /** Parses the response to a snapshot query. Throws if it is not JSON. */
  snapshot(text: string, coin: string): CheckedSnapshot {
    return remembered(this.#snapshots, this.#kept, `${coin} ${text}`, () => {
      const problems: string[] = [];
      const snapshot = checkSnapshot(JSON.parse(text), coin, (problem) => problems.push(problem));
      return { snapshot, problems };
    });
  }
}

/** Returns the cached result for a text, or creates it. Forgets the oldest beyond `kept`. */
export function remembered<T>(texts: Map<string, T>, kept: number, text: string, read: () => T): T {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const made = read();
  texts.set(text, made);
  const [oldest] = texts.keys();
  if (texts.size > kept && oldest !== undefined) texts.delete(oldest);
  return made;
}

function checkMessage(text: string): CheckedMessage {
  const failed = (problem: string) => ({ message: undefined, batch: undefined, problems: [problem] });
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failed(`a frame that is not JSON: ${text.slice(0, 80)}`);
  }
  if (!isObject(message)) return failed('a message that is no object');
  if (message.channel !== 'l4BookUpdates') return { message, batch: undefined, problems: [] };
  if (!isObject(message.data) || Object.keys(message.data).join() !== 'Updates') {
    return { message, batch: undefined, problems: ['data of l4BookUpdates must hold Updates and nothing else'] };
  }
  const problems: string[] = [];
  const batch = checkBatch(message.data.Updates, (problem) => problems.push(problem));
  return { message, batch, problems };
}
