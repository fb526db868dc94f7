import { fits, type InfoKind as InfoKindName, type z } from '@l4desk/protocol';
import type { InfoClient, ResponseReader, UpstreamRequest } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { decode } from '../http/body.ts';
import { type JsonResponse, plainResponse } from '../http/json-response.ts';
import type { InfoKind } from './kind.ts';
import { unusable } from './upstream-failure.ts';

/** What sets one of these kinds apart. */
interface CheckedSteps<Query extends UpstreamRequest, Row extends z.ZodType> {
  readonly type: InfoKindName;
  readonly info: Pick<InfoClient, 'reading'>;
  /** Reads the request. */
  readonly request: z.ZodType<Query>;
  /** What the exchange returns; it transforms nothing. */
  readonly upstream: z.ZodArray<Row>;
  /** The query as it goes upstream; the query itself when left out. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /** The response in the form of the specification: the very same array when nothing has to change. */
  readonly serve: (rows: readonly z.output<Row>[], query: Query) => readonly unknown[];
  /** Throws what a failure means for this kind, where it means anything special. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/** A response whose rows were read and checked. */
export interface CheckedResponse<Row> {
  /** The response as it came. */
  readonly chunks: UpstreamResponse['chunks'];
  readonly rows: readonly Row[];
  /** The text of each row as the exchange wrote it. */
  readonly texts: readonly string[];
}

/**
 * A kind whose response is read, checked and passed on: in the exchange's own bytes where nothing has to change, so that
 * decimals, unknown fields and their order stay as they are (D17).
 */
export function checkedKind<Query extends UpstreamRequest, Row extends z.ZodType>({
  type,
  info,
  request,
  upstream,
  ask = (query) => query,
  serve,
  onFailure,
}: CheckedSteps<Query, Row>): InfoKind<Query, CheckedResponse<z.output<Row>>> {
  const calls = info.reading(rowReader(type, upstream.element));
  return {
    type,
    decode: (body) => decode(request, body),

    async fetch(query, { account, clientGone }) {
      try {
        return await calls.ask(ask(query), { account, signal: clientGone });
      } catch (error) {
        onFailure?.(error, query);
        throw error;
      }
    },

    check({ chunks, rows, texts }, query): JsonResponse {
      const served = serve(rows, query);
      return plainResponse(served === rows ? chunks : [Buffer.from(textOf(served, rows, texts))]);
    },
  };
}

/** How many rows are read in one step. */
const STEP_ROWS = 50;

/** Reads a response row by row, up to the first one that is not what it must be. */
function rowReader<Row extends z.ZodType>(
  type: InfoKindName,
  row: Row,
): ResponseReader<CheckedResponse<z.output<Row>>> {
  return function* (response) {
    const rows: z.output<Row>[] = [];
    const texts: string[] = [];
    for (const { text, value } of response.rows()) {
      if (!fits(row, value)) throw unusable(`a response to ${type} of an unexpected shape`);
      rows.push(value);
      texts.push(text);
      if (rows.length % STEP_ROWS === 0) yield;
    }
    return { chunks: response.chunks, rows, texts };
  };
}

/** The rows that are served, each in the exchange's own text unless something had to change in it. */
function textOf(served: readonly unknown[], rows: readonly unknown[], texts: readonly string[]): string {
  const textOfRow = new Map(rows.map((row, place) => [row, texts[place]]));
  return `[${served.map((row) => textOfRow.get(row) ?? JSON.stringify(row)).join()}]`;
}
