import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedData } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import {
  decodeRequest,
  FUNDING_HISTORY_ENTRIES_MAX,
  fundingHistory,
  HISTORICAL_ORDERS_LIMIT_MAX,
  historicalOrders,
  INFO_KINDS,
  type InfoKind,
  openOrders,
  servedFundingHistory,
  servedHistoricalOrders,
  servedOpenOrders,
} from '../src/index.ts';
import { upstreamHistoricalOrders, upstreamOpenOrders } from '../src/upstream/index.ts';
import { loadFixtures } from './load-fixtures.ts';
import { UPSTREAM_RESPONSES } from './upstream-responses.ts';

interface Recorded {
  readonly name: string;
  readonly kind: string;
  readonly request: unknown;
  readonly response: unknown;
}

/** If the exchange's recorded responses are missing, the project's own fixtures of the same shapes take their place. */
const recordings = recordedData('info');

function recordedResponses(folder: string): readonly Recorded[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { request, response } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<
        Recorded,
        'name' | 'kind'
      >;
      return { name: file, kind: (request as { type: string }).type, request, response };
    });
}

function ownResponses(): readonly Recorded[] {
  return loadFixtures('valid')
    .filter(({ schema }) => schema.startsWith('upstream.'))
    .map(({ name, schema, value }) => {
      const kind = schema.slice('upstream.'.length);
      return { name, kind, request: sampleRequest(kind), response: value };
    });
}

const SAMPLE_FIELDS = { user: `0x${'5e'.repeat(20)}`, coin: 'BTC', startTime: 1681923833000, oid: 412036451270 };

function sampleRequest(kind: string): unknown {
  return { type: kind, ...SAMPLE_FIELDS };
}

const responses = recordings === undefined ? ownResponses() : recordedResponses(recordings);

function responsesTo(kind: string): unknown[] {
  return responses.filter((response) => response.kind === kind).map((response) => response.response);
}

describe('responses of the exchange: recorded ones if available, otherwise our own', () => {
  it('exist', () => {
    expect(responses.length).toBeGreaterThan(0);
  });

  it.each(responses)('[INFO-3] the request of $name is accepted', ({ kind, request }) => {
    expect(decodeRequest(INFO_KINDS[kind as InfoKind].request, request)).toMatchObject({
      kind: 'request',
      request: { type: kind },
    });
  });

  it.each(responses)(
    '[INFO-3, DEC-1, DEC-3] the response $name is read, with unknown fields and every string intact',
    ({ kind, response }) => {
      expect(UPSTREAM_RESPONSES.get(kind)?.parse(response)).toEqual(response);
    },
  );
});

describe('what is served from them', () => {
  it("[INFO-3, DEC-3] open orders have every field of the specification, with the exchange's fields unchanged", () => {
    for (const response of responsesTo('openOrders')) {
      const upstream = upstreamOpenOrders.parse(response);
      const served = servedOpenOrders(upstream);
      expect(() => openOrders.parse(served)).not.toThrow();
      expect(served).toMatchObject(upstream);
    }
  });

  it("[INFO-3, DEC-3] historical orders have every field of the specification, with the exchange's fields unchanged", () => {
    for (const response of responsesTo('historicalOrders')) {
      const upstream = upstreamHistoricalOrders.parse(response);
      const served = servedHistoricalOrders(upstream, HISTORICAL_ORDERS_LIMIT_MAX);
      expect(() => historicalOrders.parse(served)).not.toThrow();
      expect(served).toMatchObject(upstream);
    }
  });

  it("[INFO-3, DEC-3] funding is the first 500 entries of the exchange's response", () => {
    for (const response of responsesTo('fundingHistory')) {
      const upstream = fundingHistory.parse(response);
      expect(servedFundingHistory(upstream, { startTime: 0 })).toEqual(upstream.slice(0, FUNDING_HISTORY_ENTRIES_MAX));
    }
  });
});
