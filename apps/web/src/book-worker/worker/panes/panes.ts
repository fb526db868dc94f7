import type { PaneName, PaneResult, PaneResults } from '../../panes.ts';
import { difference, flow, life, tape, time } from '../past/past-panes.ts';
import type { Shown } from '../shown.ts';
import { map } from './draw-map.ts';
import { figures } from './figures-pane.ts';
import { level } from './level-pane.ts';
import { owners } from './owners-pane.ts';
import { type PaneComputer, RequestedPane } from './pane.ts';
import { queue, queues } from './queues-pane.ts';
import { ruler } from './ruler-pane.ts';
import { sweep } from './sweep-pane.ts';

/** Every pane. Add one with one line here, and its types with one line in `../../panes.ts`. */
const PANES: { readonly [Name in PaneName]: PaneComputer<Name> } = {
  level,
  ruler,
  map,
  owners,
  figures,
  sweep,
  queues,
  queue,
  time,
  tape,
  flow,
  life,
  difference,
};

/** The panes that the page requests, by their requests. */
export class Panes {
  readonly #requested = new Map<string, RequestedPane>();

  request(request: string): void {
    const [name, params] = JSON.parse(request) as [PaneName, unknown];
    this.#requested.set(request, new RequestedPane(PANES[name] as PaneComputer<PaneName>, params));
  }

  end(request: string): void {
    this.#requested.delete(request);
  }

  /** The book or its history is another one. */
  reopen(): void {
    for (const pane of this.#requested.values()) pane.reopen();
  }

  /** The results that are new, of one request or of all; `isLater` if another one is due soon. */
  next(
    shown: Shown,
    {
      generation,
      now,
      only,
    }: { readonly generation: number; readonly now: number; readonly only?: string | undefined },
  ): { readonly results: PaneResults; readonly isLater: boolean } {
    const results: Record<string, PaneResult> = {};
    let isLater = false;
    for (const [request, pane] of this.#requested) {
      if (only !== undefined && request !== only) continue;
      const result = pane.next(shown, generation, now);
      if (result === 'later') isLater = true;
      else if (result !== undefined) results[request] = result;
    }
    return { results, isLater };
  }
}
