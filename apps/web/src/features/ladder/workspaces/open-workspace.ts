import { enterWorkspace, type Workspace } from '../../../state/workspaces.ts';
import { restoreWindows } from '../pop/windows.ts';

/** Opens the windows of a workspace and applies what its address does not carry; returns the address, to navigate to. */
export function openWorkspace(opened: Workspace): string {
  restoreWindows(opened.windows);
  return enterWorkspace(opened);
}
