import { useMemo } from 'react';
import type { Command } from '../../../hooks/commands.ts';
import { useShortcuts } from '../../../hooks/shortcuts.ts';

/** The keyboard shortcut for the workspaces; returns the same as palette commands, where each workspace is listed too. */
export function useWorkspacesKeys(onOpen: () => void): readonly Command[] {
  const { shortcuts, commands } = useMemo(
    () => ({
      shortcuts: [{ key: 'w', text: 'Workspaces', run: onOpen }],
      commands: [{ id: 'workspaces', text: 'Workspaces: save, open, rename', hint: 'W', run: onOpen }],
    }),
    [onOpen],
  );
  useShortcuts('Workspaces', shortcuts);
  return commands;
}
