import {
  type ErrorPlace,
  errorBody,
  INFO_KINDS,
  type InfoKind,
  infoCredits,
  TARIFF,
  USAGE_DURATIONS_MONTHS,
  usage,
  z,
} from '@l4desk/protocol';
import { createDocument, type oas31, type ZodOpenApiExamplesObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { HEADERS_BY_STATUS, REFERENCE_ERRORS, textsByCode } from './errors.ts';
import examples from './examples.json' with { type: 'json' };
import type { StatedLimits } from './limits.ts';

/** An OpenAPI 3.1 document. */
export type OpenApi = oas31.OpenAPIObject;

/** Facts for the document that are not in the schemas. */
export interface OpenApiFacts {
  readonly limits: StatedLimits;
  /** Name of the session cookie, which contains the port (AUTH-14). */
  readonly cookieName: string;
}

const KINDS = Object.entries(INFO_KINDS) as [InfoKind, (typeof INFO_KINDS)[InfoKind]][];

export function exampleOf(kind: InfoKind): { readonly request: unknown; readonly response: unknown } {
  const entry = INFO_KINDS[kind];
  if (isOwnKind(kind)) return examples.kinds[kind];
  return { request: { type: kind, ...('plain' in entry ? entry.plain : {}) }, response: examples.passed[kind] };
}

function isOwnKind(kind: InfoKind): kind is keyof typeof examples.kinds {
  return kind in examples.kinds;
}

/** Creates the document of `POST /info` and `GET /platform/usage/` from the protocol's schemas. */
export function openApi({ limits, cookieName }: OpenApiFacts): OpenApi {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'L4 Desk',
      version: '0.1.0',
      description: introduction(limits),
    },
    servers: [{ url: '/' }],
    externalDocs: { url: '/asyncapi.json', description: 'The stream l4BookUpdates' },
    tags: [
      { name: 'queries', description: 'Every query is `POST /info`; the field `type` selects its kind.' },
      { name: 'usage', description: 'Usage of the account.' },
    ],
    paths: {
      '/info': {
        post: {
          operationId: 'info',
          tags: ['queries'],
          summary: 'Send one query',
          description: kindTable(),
          security: [{ apiKey: [] }, { session: [] }],
          'x-credits': Object.fromEntries(KINDS.map(([kind]) => [kind, infoCredits(kind)])),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: requestSchema(),
                examples: perKind((kind) => exampleOf(kind).request),
              },
            },
          },
          responses: {
            200: {
              description: 'The response of the requested kind. It has been charged.',
              content: {
                'application/json': {
                  schema: responseSchema(),
                  examples: perKind((kind) => exampleOf(kind).response),
                },
              },
            },
            ...errorResponses('info'),
          },
        },
      },
      '/platform/usage/': {
        get: {
          operationId: 'usage',
          tags: ['usage'],
          summary: 'Credits used by the account',
          description:
            'Daily usage, the total against the plan, and the share of each API key, over the window in `period`. Days are UTC and inclusive. ' +
            'The path ends with a slash. Costs no credits.',
          security: [{ serviceKey: [] }, { session: [] }],
          'x-credits': 0,
          parameters: usageParameters(),
          responses: {
            200: {
              description: 'The usage of the window.',
              content: { 'application/json': { schema: usage, examples: { usage: { value: examples.usage } } } },
            },
            ...errorResponses('usage'),
          },
        },
      },
    },
    components: {
      schemas: { Error: errorBody },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `l4k_…`' },
        serviceKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A ServiceKey: `l4s_…`. An API key is refused with 403.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description:
            'The session of a browser signed in at the dashboard. A POST requires an `Origin` of this service, a GET `Sec-Fetch-Site: same-origin`; browsers send both.',
        },
      },
    },
    'x-limits': limits.http,
    'x-errors': textsByCode(REFERENCE_ERRORS),
  });
}

function requestSchema(): z.ZodType {
  const requests = KINDS.map(([kind, { request, summary }]) =>
    (request as z.ZodType).meta({
      id: componentName(kind, 'Request'),
      description: `${summary}. ${price(infoCredits(kind))}.`,
      'x-credits': infoCredits(kind),
    }),
  );
  const mapping = Object.fromEntries(
    KINDS.map(([kind]) => [kind, `#/components/schemas/${componentName(kind, 'Request')}`]),
  );
  return z.union(requests).meta({
    override: ({ jsonSchema }: { readonly jsonSchema: oas31.SchemaObject }) => {
      const { anyOf: oneOf, ...rest } = jsonSchema;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, { ...rest, oneOf, discriminator: { propertyName: 'type', mapping } });
    },
  });
}

function responseSchema(): z.ZodType {
  const responses = KINDS.map(([kind, { response, summary }]) =>
    (response as z.ZodType).meta({ id: componentName(kind, 'Response'), description: summary }),
  );
  return z.union(responses);
}

function componentName(kind: InfoKind, part: 'Request' | 'Response'): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${part}`;
}

function price(credits: number): string {
  return credits === 1 ? 'Costs 1 credit' : `Costs ${credits} credits`;
}

function perKind(value: (kind: InfoKind) => unknown): ZodOpenApiExamplesObject {
  return Object.fromEntries(
    KINDS.map(([kind, { summary }]) => [kind, { summary: `${kind}: ${summary}`, value: value(kind) }]),
  );
}

function usageParameters() {
  const day = { type: 'string', format: 'date' } as const;
  return [
    {
      name: 'duration',
      in: 'query',
      description: 'months back from today; 1 is the month so far; ignored with from and to',
      schema: { type: 'integer', enum: [...USAGE_DURATIONS_MONTHS], default: 1 },
    },
    { name: 'from', in: 'query', description: 'first day; requires to', schema: day },
    { name: 'to', in: 'query', description: 'last day, not in the future; requires from', schema: day },
  ] satisfies oas31.ParameterObject[];
}

/** The errors of an endpoint, by status, with an example for every code. */
function errorResponses(endpoint: ErrorPlace): ZodOpenApiResponsesObject {
  const met = REFERENCE_ERRORS.filter(({ places }) => places.includes(endpoint));
  const statuses = [...new Set(met.map(({ status }) => status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const errors = met.filter((error) => error.status === status);
      return [
        String(status),
        {
          description: errors.map(({ code, meaning, remedy }) => `- \`${code}\`: ${meaning} ${remedy}`).join('\n'),
          headers: Object.fromEntries(
            Object.entries(HEADERS_BY_STATUS[status] ?? {}).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' as const } },
            ]),
          ),
          content: {
            'application/json': {
              schema: errorBody,
              examples: Object.fromEntries(
                errors.map(({ code, title, body }) => [code, { summary: title, value: body }]),
              ),
            },
          },
        },
      ];
    }),
  );
}

function introduction({ http }: StatedLimits): string {
  const rows = Object.entries(http).map(([name, { value, about, setting }]) => {
    return `| \`${name}\` | \`${[value].flat().join(', ')}\` | ${about} | ${setting === undefined ? '' : 'a setting'} |`;
  });
  return `
Four of the query kinds have the wire shape of the exchange's own info API, so clients written for it work with this
service: configure this address, and send the key as \`Authorization: Bearer\`.

Prices, sizes, rates and balances are decimal strings that keep the exchange's digits: never read them as floats. Where the
exchange reports no number, the string is what it sent, for example \`NaN\` as the premium of a delisted coin. Times are
integers in ms. Fields that are not documented here pass through as the exchange sends them.

**Credits.** A call that returns 200 is charged; a call that fails is not. ${price(TARIFF.batchSpotClearinghouseState)}: a batch of
wallets. ${price(TARIFF.infoCall)}: every other query. The [stream](/asyncapi.json) costs ${TARIFF.l4BookUpdatesPerCoinMinute} credit per coin and
started minute. A batch that returns 200 is charged whatever its slots contain, even if every wallet failed; a batch of which
no wallet could be requested is 503 \`upstream_busy\` and costs nothing. A client that disconnects before its response is charged
for calls that were already sent to the exchange and succeeded, and not for calls that were still queued.

**Errors.** Every failed response is JSON with \`error\` (one of a closed list of codes), \`message\` (a sentence), \`code\` (the status) and
\`msg\` (the sentence again, for public SDKs). If a request has several errors, the first in this order is reported: 405, 404, 401 or 403,
413 or 415, 400, 402. \`x-errors\` lists every code; after a retryable one the same call may succeed within minutes without any change.

| limit | value | meaning | |
|---|---|---|---|
${rows.join('\n')}
`;
}

function kindTable(): string {
  const rows = KINDS.map(([kind, { summary }]) => `| \`${kind}\` | ${summary} | ${infoCredits(kind)} |`);
  return ['Choose a kind from the examples.', '', '| `type` | returns | credits |', '|---|---|---|', ...rows].join(
    '\n',
  );
}
