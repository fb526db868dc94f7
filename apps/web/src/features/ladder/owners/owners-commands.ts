import { useMemo } from 'react';
import type { Command } from '../../../hooks/commands.ts';
import { DISTANCES, type LadderChoices } from '../search.ts';
import { DEFAULT_DISTANCE } from './distance.ts';

/** The owners' distance from the mid as palette commands; the current one is offered while the pane is closed. */
export function useOwnersCommands(
  within: LadderChoices['within'],
  pane: string | undefined,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): readonly Command[] {
  return useMemo(
    () =>
      DISTANCES.filter((bps) => pane !== 'owners' || bps !== (within ?? DEFAULT_DISTANCE)).map((bps) => ({
        id: `owners ${bps}`,
        text: `Owners within ${bps} bps of the mid`,
        run: () => {
          onPane('owners');
          change({ within: bps === DEFAULT_DISTANCE ? undefined : bps });
        },
      })),
    [within, pane, change, onPane],
  );
}
