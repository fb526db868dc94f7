import type { TrialReport } from '../../../book-worker/watch.ts';
import { wholeText } from '../../../ui/format.ts';

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
