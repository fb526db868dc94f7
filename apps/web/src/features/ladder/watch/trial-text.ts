import type { TrialReport } from '../../../book-worker/watch.ts';
import { counted, secondsText, wholeText } from '../../../ui/format.ts';

type DoneTrial = Extract<TrialReport, { kind: 'done' }>;

/** What a rule was tried on: `77 blocks, 6 s, without 1 gap of which nothing is known.` */
export function triedText({ tried, spanMs, gaps }: DoneTrial): string {
  const without = gaps > 0 ? `, without ${counted(gaps, 'gap')} of which nothing is known` : '';
  return `${counted(tried.blocks, 'block')}, ${secondsText(spanMs)}${without}.`;
}

/** The result of a trial in one line. */
export function trialText(report: TrialReport): string {
  switch (report.kind) {
    case 'nothing':
      return 'Nothing is kept yet: try again in a moment.';
    case 'running':
      return `Trying … ${report.total === 0 ? 0 : Math.floor((report.done / report.total) * 100)} %`;
    case 'done': {
      const count = report.tried.counts[0] ?? 0;
      if (count === 0) return 'Would not have fired.';
      return `Would have fired ${count === 1 ? 'once' : count === 2 ? 'twice' : `${wholeText(count)} times`}.`;
    }
  }
}
