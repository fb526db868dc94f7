/** The metrics that the alert rules and the dashboard query, and those that a process has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { WORKSPACE } from './try-package.ts';

const read = (path: string) => readFileSync(join(WORKSPACE, 'deploy', path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly targets: readonly { readonly expr: string }[];
}

/** The alert rules of deploy/prometheus. */
export function alertRules(): readonly Rule[] {
  const { groups } = parse(read('prometheus/alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return groups.flatMap((group) => group.rules);
}

/** The panels of the dashboard of deploy/grafana. */
export function panels(): readonly Panel[] {
  return (JSON.parse(read('grafana/l4desk.json')) as { readonly panels: readonly Panel[] }).panels;
}

/** A line of `/metrics` with its labels. */
interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns the samples of a metrics page. */
export function samplesOf(metrics: string): readonly Sample[] {
  return [...metrics.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: new Map([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value])),
  }));
}

/** Returns the series that an expression names, with its label matchers. */
export function seriesOf(expression: string) {
  const found = [...expression.matchAll(/\b((?:l4desk|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  return found.map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].map(([, label = '', operator, value = '']) => ({
      label,
      values: operator === '=~' ? value.split('|') : [value],
    })),
  }));
}

/** Labels whose values appear only once something happened, so only the label itself is checked. */
const VALUES_COME_LATER = ['status', 'code'];

/** Returns what an expression names but no sample has: a metric, or a label value that no sample of that metric has. */
export function missing(expression: string, samples: readonly Sample[]): readonly string[] {
  return seriesOf(expression).flatMap(({ name, labels }) => {
    const its = samples.filter((sample) => sample.name === name);
    if (its.length === 0) return [name];
    return labels.flatMap(({ label, values }) => {
      const known = its.flatMap((sample) => sample.labels.get(label) ?? []);
      if (VALUES_COME_LATER.includes(label)) return known.length > 0 ? [] : [`${name}{${label}}`];
      return values.filter((value) => !known.includes(value)).map((value) => `${name}{${label}="${value}"}`);
    });
  });
}
