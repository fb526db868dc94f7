import type { InfoKind as InfoKindName, z } from '@l4desk/protocol';
import type { UpstreamAnswer } from '../upstream/answer.ts';
import type { InfoClient, UpstreamRequest } from '../upstream/info-client.ts';
import { decode, type InfoAnswer, type InfoKind, plainAnswer } from './kind.ts';
import { rowTexts } from './row-texts.ts';
import { unusable } from './upstream-failure.ts';

/** What sets one of these kinds apart. */
interface CheckedSteps<Query extends UpstreamRequest, Answer extends readonly unknown[]> {
  readonly type: InfoKindName;
  readonly info: InfoClient;
  /** Reads the request. */
  readonly request: z.ZodType<Query>;
  /** What the exchange answers. */
  readonly upstream: z.ZodType<Answer>;
  /** The query as it goes upstream; the query itself when left out. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /** The answer in the form of the specification: the very same array when nothing has to change. */
  readonly serve: (answer: Answer, query: Query) => readonly unknown[];
  /** Throws what a failure means for this kind, where it means anything special. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/**
 * A kind whose answer is read, checked and passed on: in the exchange's own bytes where nothing has to change, so that
 * decimals, unknown fields and their order stay as they are (D17).
 */
export function checkedKind<Query extends UpstreamRequest, Answer extends readonly unknown[]>({
  type,
  info,
  request,
  upstream,
  ask = (query) => query,
  serve,
  onFailure,
}: CheckedSteps<Query, Answer>): InfoKind<Query, UpstreamAnswer> {
  return {
    type,
    decode: (body) => decode(request, body),

    async fetch(query, { account, clientGone }) {
      try {
        return await info.ask(ask(query), { account, signal: clientGone });
      } catch (error) {
        onFailure?.(error, query);
        throw error;
      }
    },

    check(answer, query): InfoAnswer {
      const read = upstream.safeParse(answer.json());
      if (!read.success) throw unusable(`an answer to ${type} of another shape`);
      const served = serve(read.data, query);
      return plainAnswer(served === read.data ? answer.chunks : [Buffer.from(textOf(served, read.data, answer))]);
    },
  };
}

/** The rows that are served, each in the exchange's own text unless something had to change in it. */
function textOf(served: readonly unknown[], rows: readonly unknown[], answer: UpstreamAnswer): string {
  const texts = rowTexts(answer.bytes.toString('utf8'));
  const textOfRow = new Map(rows.map((row, place) => [row, texts[place]]));
  return `[${served.map((row) => textOfRow.get(row) ?? JSON.stringify(row)).join()}]`;
}
