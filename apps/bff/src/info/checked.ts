import { fits, type InfoKind as InfoKindName, type z } from '@l4desk/protocol';
import type { InfoClient, ResponseReader, UpstreamRequest } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { decode } from '../http/body.ts';
import { type JsonResponse, plainResponse } from '../http/json-response.ts';
import type { InfoKind } from './kind.ts';
import { unusable } from './upstream-failure.ts';

/** The parts that differ between these kinds. */
interface CheckedSteps<Query extends UpstreamRequest, Row extends z.ZodType> {
  readonly type: InfoKindName;
  readonly info: Pick<InfoClient, 'reading'>;
  /** Parses the request. */
  readonly request: z.ZodType<Query>;
  /** Schema of the exchange's response. It must not transform anything. */
  readonly upstream: z.ZodArray<Row>;
  /** Creates the upstream request. Default: the query itself. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /** Returns the response in the specified form, or the identical array if nothing has to change. */
  readonly serve: (rows: readonly z.output<Row>[], query: Query) => readonly unknown[];
  /** Throws a kind-specific error if the failure has a special meaning for this kind. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/** A response whose rows have been read and checked. */
export interface CheckedResponse<Row> {
  /** The unmodified response. */
  readonly chunks: UpstreamResponse['chunks'];
  readonly rows: readonly Row[];
  /** The original text of each row. */
  readonly texts: readonly string[];
}

/**
 * Creates a kind whose response is read, checked and passed through. If nothing has to change, the exchange's own bytes
 * are sent, so that decimals, unknown fields and key order are preserved (D17).
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

/** Number of rows read in one step. */
const STEP_ROWS = 50;

/** Creates a reader that reads a response row by row and throws at the first invalid row. */
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

/** The text of the served rows. Unchanged rows keep the exchange's own text. */
function textOf(served: readonly unknown[], rows: readonly unknown[], texts: readonly string[]): string {
  const textOfRow = new Map(rows.map((row, place) => [row, texts[place]]));
  return `[${served.map((row) => textOfRow.get(row) ?? JSON.stringify(row)).join()}]`;
}
