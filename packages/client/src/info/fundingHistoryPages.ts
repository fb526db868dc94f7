import { FUNDING_HISTORY_ENTRIES_MAX, type FundingEntry, infoCredits, WireFormatError } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import type { QueryOptions } from '../transport.ts';
import { fundingHistory } from './fundingHistory.ts';
import type { InfoParameters } from './parameters.ts';

/** One page of a funding history. Pages join without gaps or repeats. */
export interface FundingPage {
  /** Up to 500 entries, oldest first. Empty only if the whole window is empty. */
  readonly entries: readonly FundingEntry[];
  /** Page number, from 1. */
  readonly page: number;
  /** Credits spent so far, including this page. */
  readonly credits: number;
  /** The share of the window that is done, from 0 to 1. */
  readonly progress: number;
  /** Where the next page starts, in ms. Also the `startTime` to continue from after a failure. Undefined on the last page. */
  readonly nextStartTime: number | undefined;
}

/**
 * Yields a funding history of any length in pages (§4.5): every entry from `startTime` to `endTime` (ms, both inclusive;
 * `endTime` defaults to now) exactly once, oldest first. Stop iterating to stop the queries. Costs 1 credit a page. Rejects like
 * `fundingHistory`; earlier pages stay valid.
 */
export async function* fundingHistoryPages(
  client: Client,
  parameters: InfoParameters<'fundingHistory'>,
  options?: QueryOptions,
): AsyncGenerator<FundingPage, void, undefined> {
  const { startTime } = parameters;
  const until = parameters.endTime ?? client.transport.platform.clock.now();
  let from: number | undefined = startTime;
  // Loop "pages": every page starts later than the one before. Ends with the first page that is not full.
  for (let page = 1; from !== undefined; page += 1) {
    const response: readonly FundingEntry[] = await fundingHistory(client, { ...parameters, startTime: from }, options);
    checkOrder(response, from);
    const { entries, next } = cut(response, parameters.endTime ?? Number.POSITIVE_INFINITY);
    from = next;
    yield {
      entries,
      page,
      credits: page * infoCredits('fundingHistory'),
      progress: next === undefined ? 1 : Math.min(1, (next - startTime) / Math.max(1, until - startTime)),
      nextStartTime: next,
    };
  }
}

/**
 * Returns the part of a full response that is certain to be complete. The limit may fall between entries of the same moment, so
 * entries of the last moment are left to the next page, which starts with them. Starting after that moment would lose the rest.
 */
function cut(
  response: readonly FundingEntry[],
  endTime: number,
): { entries: readonly FundingEntry[]; next: number | undefined } {
  const last = response.at(-1);
  if (last === undefined || response.length < FUNDING_HISTORY_ENTRIES_MAX)
    return { entries: response, next: undefined };
  const entries = response.filter(({ time }) => time < last.time);
  // 500 entries of one moment: no query can return more of that moment.
  if (entries.length === 0) return { entries: response, next: last.time < endTime ? last.time + 1 : undefined };
  return { entries, next: last.time };
}

/**
 * Pages join only if each is oldest first and within its window (FUND-5). Without this check a page could also repeat forever.
 */
function checkOrder(response: readonly FundingEntry[], from: number): void {
  let earliest = from;
  for (const [index, { time }] of response.entries()) {
    if (time < earliest) throw new WireFormatError(`fundingHistory[${index}].time`, `must not be before ${earliest}`);
    earliest = time;
  }
}
