import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@l4desk/testkit';
import { Stack } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertRules, missing, panels, samplesOf, seriesOf } from './test-support/monitoring.ts';
import { WORKSPACE } from './test-support/try-package.ts';

describe('monitoring', () => {
  let metrics: string;
  let samples: ReturnType<typeof samplesOf>;
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ env: { VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' } });
    // A request, for the metrics by route and status.
    await fetch(`${stack.url}/info`, { method: 'POST', body: '{}' });
    metrics = await until('the request is counted', async () => {
      const page = await (await fetch(`${stack.url}/metrics`)).text();
      return page.includes('l4desk_http_requests_total{') && page;
    });
    samples = samplesOf(metrics);
  });
  afterAll(async () => stack[Symbol.asyncDispose]());

  /** Names that are missing but need not be there: a lost book has a reason, and this service lost no book. */
  const missingHere = (expression: string) =>
    missing(expression, samples).filter(
      (name) => name !== 'l4desk_feed_books_lost_total' || !metrics.includes(`# TYPE ${name} counter`),
    );

  /** Metrics that only processes of a cluster have. cluster.test.ts checks those. */
  const ofCluster = (expression: string) => /\bl4desk_(?:cluster_|database_lost|ledger_spool)/.test(expression);

  it('every alert queries metrics and labels that a running service has', () => {
    const rules = alertRules();
    expect(rules.length).toBeGreaterThan(10);
    const here = rules.filter(({ expr }) => !ofCluster(expr));
    expect(here.flatMap(({ expr }) => missingHere(expr))).toEqual([]);
    expect(rules.filter(({ expr }) => seriesOf(expr).length === 0).map(({ alert }) => alert)).toEqual(['L4DeskDown']);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('every panel of the dashboard queries metrics and labels that a running service has', () => {
    const all = panels();
    const expressions = all.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThanOrEqual(all.length);
    expect(expressions.filter((expr) => seriesOf(expr).length === 0)).toEqual([]);
    const here = expressions.filter((expr) => !ofCluster(expr));
    expect(here.flatMap(missingHere)).toEqual([]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('the dashboard has a panel for every metric that an alert queries', () => {
    const namesIn = (expression: string) => seriesOf(expression).map(({ name }) => name);
    const shown = new Set(panels().flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
    expect(alertRules().flatMap(({ expr }) => namesIn(expr).filter((name) => !shown.has(name)))).toEqual([]);
  });

  it('the documentation explains every event of the feed', () => {
    const documented = readFileSync(join(WORKSPACE, 'docs', 'operating', 'monitoring.md'), 'utf8');
    const events = samples.flatMap(({ name, labels }) =>
      name === 'l4desk_feed_events_total' ? [labels.get('event') ?? ''] : [],
    );
    expect(events.length).toBeGreaterThan(10);
    const [, table = ''] = /### Events of the feed .+\n\n([^]*?)\n\n/.exec(documented) ?? [];
    const explained = [...table.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, event = '']) => event);
    expect(explained.sort()).toEqual(['event', ...events].sort());
  });

  it('the documentation names the job that the alerts query, with a key', () => {
    const documented = readFileSync(join(WORKSPACE, 'docs', 'operating', 'monitoring.md'), 'utf8');
    const [, example = ''] = /```yaml\n(rule_files[^`]+)```/.exec(documented) ?? [];
    const { scrape_configs: jobs } = parse(example) as { readonly scrape_configs: readonly object[] };
    const [down] = alertRules().filter(({ alert }) => alert === 'L4DeskDown');
    const [, job = ''] = /up\{job="(\w+)"\}/.exec(down?.expr ?? '') ?? [];
    expect(jobs).toEqual([expect.objectContaining({ job_name: job, authorization: expect.anything() })]);
  });
});
