import type { BookChange } from '../change.ts';
import { DECIMAL, matchAt, ownCopy, TEXT, WHOLE } from '../json-scan.ts';
import type { Address, DecimalString, Side } from '../primitives.ts';
import type { ExecutedOrder } from './batch.ts';
import type { Batch, CoinBatch } from './decode.ts';
import { UnreadStatuses } from './unread-statuses.ts';

const NUMBER = `(${WHOLE})`;
const PLAIN = `(${TEXT})`;
const AMOUNT = `"(${DECIMAL})"`;

const HEAD = new RegExp(
  `\\{"channel":"l4BookUpdates","data":\\{"Updates":\\{"time":${NUMBER},"block_height":${NUMBER},"epoch":"${PLAIN}","cursor":"${PLAIN}","book_diffs":\\[`,
  'y',
);
const ENTRY = new RegExp(`\\{"coin":"${PLAIN}","seq":${NUMBER},"prev_seq":${NUMBER},"order_statuses":(?=\\[)`, 'y');
const DIFFS = ',"book_diffs":[';
const DIFF = new RegExp(
  `\\{"user":"(0x[0-9a-fA-F]{40})","oid":${NUMBER},"side":"([BA])","px":${AMOUNT},"coin":"${PLAIN}","raw_book_diff":` +
    `(?:"remove"|\\{"new":\\{"sz":${AMOUNT}(?:,"insertBefore":${NUMBER})?\\}\\}|\\{"update":\\{"origSz":${AMOUNT},"newSz":${AMOUNT}\\}\\})\\}`,
  'y',
);
const EXECUTED = `\\{"oid":${WHOLE},"sz":"${DECIMAL}"\\}`;
const END = new RegExp(
  `\\](?:,"checksum":"([0-9a-f]{16})")?(?:,"executed":\\[(${EXECUTED}(?:,${EXECUTED})*)\\])?\\}`,
  'y',
);
const TAIL = ']}}}';

/**
 * Reads a whole `Updates` message from its text and leaves the statuses unread. Undefined if the text is not, to the
 * letter, what the service writes: then use `JSON.parse` and `decodeUpdates`, which report what is wrong.
 *
 * The cut is correct because all but the statuses is matched token by token, and a status array ends at the first `]`
 * that `,"book_diffs":[` follows: inside a string, the quote after `]` would end the string where no JSON continues
 * with `book_diffs`; at an inner array, the message would not be closed. So the cut piece is JSON exactly if the
 * message is.
 */
export function readUpdatesText(text: string): Batch | undefined {
  const head = matchAt(HEAD, text, 0);
  if (head === null) return undefined;
  const [, time, height, epoch] = head;
  const block = { epoch: ownCopy(epoch as string), height: Number(height), time: Number(time) };
  const coins: CoinBatch[] = [];
  let at = HEAD.lastIndex - 1;
  do {
    const start = at + 1;
    const entry = matchAt(ENTRY, text, start);
    if (entry === null) return undefined;
    const coin = entry[1] as string;
    const seq = Number(entry[2]);
    const prevSeq = Number(entry[3]);
    const statusesAt = ENTRY.lastIndex;
    const statusesEnd = text.indexOf(']', statusesAt) + 1;
    if (seq <= prevSeq || statusesEnd === 0 || !text.startsWith(DIFFS, statusesEnd)) return undefined;
    const diffsAt = statusesEnd + DIFFS.length;
    const diffsEnd = text.indexOf(']', diffsAt);
    const end = diffsEnd < 0 ? null : matchAt(END, text, diffsEnd);
    if (end === null) return undefined;
    const [, checksum, executed] = end;
    at = END.lastIndex;
    const changes = readDiffs(text.slice(diffsAt, diffsEnd), coin);
    if (changes === undefined) return undefined;
    const path = `Updates.book_diffs[${coins.length}].order_statuses`;
    const statuses =
      statusesEnd - statusesAt === '[]'.length
        ? []
        : new UnreadStatuses(text.slice(statusesAt, statusesEnd), path, text.length);
    const proof = checksum === undefined ? {} : { checksum: ownCopy(checksum) };
    const known = executed === undefined ? {} : { executed: readExecuted(executed) };
    coins.push({ coin, ...block, seq, prevSeq, changes, statuses, ...proof, ...known });
  } while (text[at] === ',');
  return text.length === at + TAIL.length && text.endsWith(TAIL) ? { ...block, coins } : undefined;
}

function readDiffs(piece: string, coin: string): readonly BookChange[] | undefined {
  const changes: BookChange[] = [];
  // Owners are substrings of this copy, so that a retained change retains only the block's diffs and not the whole message.
  const text = ownCopy(piece);
  for (let at = 0; at < text.length; at = DIFF.lastIndex + 1) {
    const diff = matchAt(DIFF, text, at);
    if (diff === null || diff[5] !== coin) return undefined;
    changes.push(changeOf(diff));
    if (DIFF.lastIndex === text.length) return changes;
    if (text[DIFF.lastIndex] !== ',') return undefined;
  }
  // An empty text is valid; otherwise there was a comma after the last diff.
  return text === '' ? changes : undefined;
}

function readExecuted(text: string): readonly ExecutedOrder[] {
  // Matched above, so this is JSON of that shape.
  return JSON.parse(`[${text}]`) as readonly ExecutedOrder[];
}

function changeOf(diff: RegExpExecArray): BookChange {
  const oid = wholeOf(diff[2] as string);
  const user = diff[1] as Address;
  const side = diff[3] as Side;
  const px = diff[4] as DecimalString;
  if (diff[6] !== undefined) {
    const insertBefore = diff[7] === undefined ? null : Number(diff[7]);
    return { kind: 'insert', oid, user, side, px, sz: diff[6] as DecimalString, insertBefore };
  }
  if (diff[8] === undefined) return { kind: 'remove', oid, user, side, px };
  return {
    kind: 'resize',
    oid,
    user,
    side,
    px,
    origSz: diff[8] as DecimalString,
    newSz: diff[9] as DecimalString,
  };
}

/** The value of up to 15 digits. `Number` takes twice as long for an oid. */
function wholeOf(digits: string): number {
  let value = 0;
  for (let at = 0; at < digits.length; at += 1) value = value * 10 + digits.charCodeAt(at) - 48;
  return value;
}
