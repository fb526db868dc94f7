import { gunzipSync } from 'node:zlib';
import * as limits from '@l4desk/protocol';
import {
  CLOSE_CATALOGUE,
  ERROR_CATALOGUE,
  errorBody,
  INFO_KINDS,
  type InfoKind,
  infoCredits,
  TARIFF,
  usage,
} from '@l4desk/protocol';
import { http } from '@l4desk/testkit/service';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedService } from '../../test-support/shared-service.ts';
import { STREAM_MESSAGES } from './asyncapi.ts';
import { REFERENCE_ERRORS } from './errors.ts';
import examples from './examples.json' with { type: 'json' };
import { exampleOf } from './openapi.ts';
import { REFERENCE_PATHS } from './router.ts';

type Json = Readonly<Record<string, unknown>>;

const service = sharedService({
  env: { BATCH_TIMEOUT_MS: '12345', WALLET_TIMEOUT_MS: String(limits.WALLET_TIMEOUT_MS) },
});
let openapi: Json;
let asyncapi: Json;

beforeAll(async () => {
  const document = async (path: string) => (await http(`${service.url}${path}`)).json() as Json;
  [openapi, asyncapi] = [await document('/openapi.json'), await document('/asyncapi.json')];
});

/** The value at a path of a document. */
function at(document: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner: unknown, name) => (inner as Json | undefined)?.[name], document);
}

const KINDS = Object.keys(INFO_KINDS) as InfoKind[];
const infoPost = (...path: readonly string[]) => at(openapi, 'paths', '/info', 'post', ...path);

type Checker = (schema: unknown, value: unknown) => unknown;

const checkers = new Map<Json, Checker>();

/** Returns a checker of values against schemas of a document. Cached per document, because compiling a schema takes long. */
function checkerOf(document: Json): Checker {
  const known = checkers.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const compiled = new Map<unknown, ValidateFunction>();
  const checker: Checker = (schema, value) => {
    const pointer = at(schema, '$ref');
    const key = pointer ?? schema;
    const check =
      compiled.get(key) ??
      ajv.compile(typeof pointer === 'string' ? { $ref: `document${pointer}` } : (rebased(schema) as object));
    compiled.set(key, check);
    return check(value) ? null : check.errors;
  };
  checkers.set(document, checker);
  return checker;
}

/** Rewrites a schema's references so that they point into the document. */
function rebased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rebased);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? `document${value}` : rebased(value),
    ]),
  );
}

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openapi));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('[INFO-25, BILL-1, BILL-2] lists exactly the query kinds, each with its price and an example', () => {
    expect(infoPost('x-credits')).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, infoCredits(kind)])));
    const media = ['content', 'application/json'];
    for (const part of [['requestBody'], ['responses', '200']]) {
      expect(Object.keys(infoPost(...part, ...media, 'examples') as Json)).toEqual(KINDS);
    }
    const mapping = infoPost('requestBody', ...media, 'schema', 'discriminator', 'mapping') as Json;
    expect(Object.keys(mapping)).toEqual(KINDS);
    const text = String(infoPost('description'));
    for (const kind of KINDS)
      expect(text).toMatch(new RegExp(`^\\| \`${kind}\` \\| .+ \\| ${infoCredits(kind)} \\|$`, 'm'));
    expect(at(openapi, 'paths', '/platform/usage/', 'get', 'x-credits')).toBe(0);
  });

  it.each(KINDS)('the example of %s matches the schemas of the service and of the document', (kind) => {
    const { request, response } = exampleOf(kind);
    expect(response, `${kind} has no response in examples.json`).toBeDefined();
    expect(INFO_KINDS[kind].request.safeParse(request).error).toBeUndefined();
    expect(INFO_KINDS[kind].response.safeParse(response).error).toBeUndefined();
    const check = checkerOf(openapi);
    const media = ['content', 'application/json', 'schema'];
    expect(check(infoPost('requestBody', ...media), request)).toBeNull();
    expect(check(infoPost('responses', '200', ...media), response)).toBeNull();
  });

  it('discriminates kinds: a request of one kind is invalid as another', () => {
    const check = checkerOf(openapi);
    const schema = infoPost('requestBody', 'content', 'application/json', 'schema');
    expect(check(schema, { ...examples.kinds.openOrders.request, type: 'fundingHistory' })).not.toBeNull();
    expect(check(schema, { type: 'nonsense' })).not.toBeNull();
  });

  it('[INFO-5] lists exactly the error codes, each with its status and a body', () => {
    expect(at(openapi, 'x-errors')).toEqual(
      Object.fromEntries(
        Object.values(ERROR_CATALOGUE).map(({ code, status, retryable, meaning, remedy }) => [
          code,
          { status, retryable, meaning, remedy },
        ]),
      ),
    );
    for (const [path, method, place] of [
      ['/info', 'post', 'info'],
      ['/platform/usage/', 'get', 'usage'],
    ] as const) {
      const met = REFERENCE_ERRORS.filter(({ places }) => places.includes(place));
      const responses = at(openapi, 'paths', path, method, 'responses') as Json;
      expect(new Set(Object.keys(responses))).toEqual(new Set(['200', ...met.map(({ status }) => String(status))]));
      for (const { code, status, body } of met) {
        const media = at(responses, String(status), 'content', 'application/json');
        expect(at(media, 'examples', code, 'value')).toEqual(body);
        expect(errorBody.safeParse(body).error).toBeUndefined();
        expect(checkerOf(openapi)(at(media, 'schema'), body)).toBeNull();
      }
    }
    expect(Object.keys(at(openapi, 'paths', '/info', 'post', 'responses', '401', 'headers') as Json)).toEqual([
      'WWW-Authenticate',
    ]);
  });

  it('the example of usage matches the schemas', () => {
    expect(usage.safeParse(examples.usage).error).toBeUndefined();
    const schema = at(
      openapi,
      'paths',
      '/platform/usage/',
      'get',
      'responses',
      '200',
      'content',
      'application/json',
      'schema',
    );
    expect(checkerOf(openapi)(schema, examples.usage)).toBeNull();
  });

  it('[AUTH-1, AUTH-3, AUTH-15] names the credential of each endpoint', () => {
    expect(infoPost('security')).toEqual([{ apiKey: [] }, { session: [] }]);
    expect(at(openapi, 'paths', '/platform/usage/', 'get', 'security')).toEqual([{ serviceKey: [] }, { session: [] }]);
    expect(at(openapi, 'components', 'securitySchemes')).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
      serviceKey: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: `l4desk_${service.port}` },
    });
  });

  it('[WS-27] lists, together with /asyncapi.json, every limit of the protocol with the configured value', () => {
    const http = at(openapi, 'x-limits') as Readonly<Record<string, { readonly value: unknown }>>;
    const stream = at(asyncapi, 'channels', 'stream', 'x-limits') as typeof http;
    const stated = { ...http, ...stream };
    // What the dashboard keeps on the account is not part of the reference.
    const ofPages = /^(?:ACCOUNT_DOCUMENT|KEY_LABEL|WORKSPACE)_/;
    const known = Object.entries(limits).filter(
      ([name, value]) =>
        name in stated || (/_(?:MAX|MS|MONTHS)$/.test(name) && !ofPages.test(name) && typeof value !== 'function'),
    );
    expect(Object.keys(stated).toSorted()).toEqual(known.map(([name]) => name).toSorted());
    const values = Object.fromEntries(Object.entries(stated).map(([name, { value }]) => [name, value]));
    expect(values).toEqual({ ...Object.fromEntries(known), BATCH_TIMEOUT_MS: 12_345 });
  });
});

describe('/asyncapi.json', () => {
  it('lists every message with an example that matches its schemas, and every close code', () => {
    expect(asyncapi).toMatchObject({ asyncapi: '3.0.0', servers: { this: { host: `127.0.0.1:${service.port}` } } });
    const check = checkerOf(asyncapi);
    for (const { name, payload, example } of STREAM_MESSAGES) {
      expect(payload.safeParse(example).error).toBeUndefined();
      const message = at(asyncapi, 'components', 'messages', name) as Json;
      expect(check(message.payload, example)).toBeNull();
      expect(message.examples).toEqual([{ name, payload: example }]);
    }
    expect(at(asyncapi, 'channels', 'stream', 'x-close-codes')).toEqual(
      Object.fromEntries(CLOSE_CATALOGUE.map(({ code, meaning, remedy }) => [code, { meaning, remedy }])),
    );
    expect(at(asyncapi, 'channels', 'stream', 'x-credits')).toBe(TARIFF.l4BookUpdatesPerCoinMinute);
  });

  it('[L4-40] lists every book state and every loss reason with its meaning', () => {
    expect(at(asyncapi, 'channels', 'stream', 'x-book-states')).toEqual(limits.BOOK_STATES);
    expect(at(asyncapi, 'channels', 'stream', 'x-book-loss-reasons')).toEqual(limits.BOOK_LOSS_REASONS);
  });

  it('[L4-42] says, also on the page, what a client loses if it ignores insertBefore', async () => {
    const paragraph = /ignores it loses the queue order inside that level and nothing else/;
    expect(String(at(asyncapi, 'info', 'description'))).toMatch(paragraph);
  });

  it('has no dangling reference', () => {
    const text = JSON.stringify(asyncapi);
    const pointers = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(pointers.length).toBeGreaterThan(10);
    expect(pointers.filter((path) => at(asyncapi, ...path.split('/')) === undefined)).toEqual([]);
  });
});

describe('/docs', () => {
  it('loads nothing from other sites and has no inline script or style', async () => {
    for (const path of ['/docs']) {
      const response = await http(`${service.url}${path}`);
      const html = response.text;
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers['content-security-policy']).toMatch(/script-src 'self';style-src 'self'/);
      expect(html).not.toMatch(/<style|style=|<script(?![^>]* src="\/)|\son\w+=|(?:src|href)="(?!\/)/);
      for (const [, file = ''] of html.matchAll(/(?:src|href)="(\/(?:docs|openapi|asyncapi)[^"]*)"/g)) {
        expect(REFERENCE_PATHS).toContain(file);
      }
      expect(html).toContain('href="/asyncapi.json"');
    }
  });

  it.each(REFERENCE_PATHS)('serves %s without a key, compressed, with revalidation', async (path) => {
    const response = await http(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.status).toBe(200);
    expect(gunzipSync(response.bytes).byteLength).toBeGreaterThan(300);
    expect(response.headers['cache-control']).toBe('no-cache');
    const again = await http(`${service.url}${path}`, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': response.headers.etag ?? '' },
    });
    expect(again.status).toBe(304);
    const posted = await http(`${service.url}${path}`, { method: 'POST' });
    expect({ status: posted.status, allow: posted.headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });

  it('[INFO-28] responds with 404 for any other path below it', async () => {
    for (const path of ['/docs/', '/docs/nothing', '/docs/stream', '/docs/..%2fpackage.json', '/docs/constructor'])
      expect((await http(`${service.url}${path}`)).status).toBe(404);
  });
});
