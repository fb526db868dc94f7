import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../../book-worker/use-book.ts';
import type { TrialReport, WatchRule } from '../../../book-worker/watch.ts';

interface Trial {
  /** The id of the rule being tried. */
  readonly of: string;
  readonly report: TrialReport;
}

/** The trial of one rule at a time on the kept minutes. */
export interface RuleTrial {
  readonly trial: Trial | undefined;
  readonly start: (of: string, rule: WatchRule) => void;
  readonly stop: () => void;
}

/** The trial ends when the component unmounts. */
export function useTrial(): RuleTrial {
  const live = useLive();
  const [trial, setTrial] = useState<Trial>();
  const end = useRef(() => {});
  const stop = useCallback(() => {
    end.current();
    setTrial(undefined);
  }, []);
  const start = useCallback(
    (of: string, rule: WatchRule) => {
      setTrial({ of, report: { kind: 'running', done: 0, total: 1 } });
      end.current = live.requests.tryRules([rule], (report) => setTrial({ of, report }));
    },
    [live],
  );
  useEffect(() => () => end.current(), []);
  return { trial, start, stop };
}
