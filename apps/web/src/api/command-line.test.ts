// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { commandLine } from './command-line.ts';

afterEach(() => document.head.replaceChildren());

it('returns the repository’s command, or the one that a package has written into the page', () => {
  expect(commandLine()).toBe('npm run -s l4desk --');
  document.head.innerHTML = '<meta name="l4desk-command" content="l4desk">';
  expect(commandLine()).toBe('l4desk');
});
