import { describe, expect, it } from 'vitest';
import { requireNode } from './workspace.mjs';

describe('the Node a start needs', () => {
  it.each(['20.20.0', '20.21.3', '22.0.0', '26.6.6'])('%s will do', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it.each(['18.20.8', '20.19.9', '8.0.0'])('%s is refused in one sentence that names both', (version) => {
    expect(() => requireNode(version)).toThrow(`needs Node 20.20 or newer; this is Node ${version}`);
  });
});
