import { FUNDING_HISTORY_ENTRIES_MAX, type FundingEntry, INFO_CREDITS, WireFormatError } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import { fundingHistory } from './fundingHistory.ts';
import type { InfoParameters } from './parameters.ts';

/** One stretch of a funding history. Pages join without a gap and without a repeat. */
export interface FundingPage {
  /** Oldest first; up to 500. Empty only where there is nothing at all to page through. */
  readonly entries: readonly FundingEntry[];
  /** 1 for the first. */
  readonly page: number;
  /** Spent so far, this page included. */
  readonly credits: number;
  /** The part of the window that is done, from 0 to 1. */
  readonly progress: number;
  /** Where the next page starts, in ms; also the `startTime` to continue from after a failure. Undefined on the last page. */
  readonly nextStartTime: number | undefined;
}

/**
 * A funding history of any length, page by page (§4.5): every entry from `startTime` to `endTime` (ms, both included;
 * without `endTime` up to now) exactly once, oldest first. Stop iterating to stop asking. Costs 1 credit a page.
 * Rejects as `fundingHistory` does; the pages that came before stay good.
 */
export async function* fundingHistoryPages(
  client: Client,
  parameters: InfoParameters<'fundingHistory'>,
  options?: QueryOptions,
): AsyncGenerator<FundingPage, void, undefined> {
  const { startTime } = parameters;
  const until = parameters.endTime ?? client.transport.platform.clock.now();
  let from: number | undefined = startTime;
  // Loop "pages": every page starts later than the one before; ends with the first that is not full.
  for (let page = 1; from !== undefined; page += 1) {
    const response: readonly FundingEntry[] = await fundingHistory(client, { ...parameters, startTime: from }, options);
    checkOrder(response, from);
    const { entries, next } = cut(response, parameters.endTime ?? Number.POSITIVE_INFINITY);
    from = next;
    yield {
      entries,
      page,
      credits: page * INFO_CREDITS.fundingHistory,
      progress: next === undefined ? 1 : Math.min(1, (next - startTime) / Math.max(1, until - startTime)),
      nextStartTime: next,
    };
  }
}

/**
 * What of a full response is certain to be whole: the limit may fall between entries of one moment, so those of its last
 * moment are left to the next page, which starts with them. Starting after them instead would lose the rest.
 */
function cut(
  response: readonly FundingEntry[],
  endTime: number,
): { entries: readonly FundingEntry[]; next: number | undefined } {
  const last = response.at(-1);
  if (last === undefined || response.length < FUNDING_HISTORY_ENTRIES_MAX)
    return { entries: response, next: undefined };
  const entries = response.filter(({ time }) => time < last.time);
  // 500 entries of one moment: more of that moment cannot be requested.
  if (entries.length === 0) return { entries: response, next: last.time < endTime ? last.time + 1 : undefined };
  return { entries, next: last.time };
}

/** Pages join only if each is oldest first and within its window (FUND-5); without this a page could also repeat without end. */
function checkOrder(response: readonly FundingEntry[], from: number): void {
  let earliest = from;
  for (const [index, { time }] of response.entries()) {
    if (time < earliest) throw new WireFormatError(`fundingHistory[${index}].time`, `must not be before ${earliest}`);
    earliest = time;
  }
}
