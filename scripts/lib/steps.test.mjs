import { beforeEach, expect, it, vi } from 'vitest';
import { runSideBySide, runStep } from './steps.mjs';

const node = (name, script) => ({ name, command: process.execPath, args: ['-e', script] });

let written;
beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(text));
});

/** The printed text with durations replaced. */
const printed = () => written.map((text) => text.replaceAll(/\d+\.\d s/g, 'N s'));

it('prints the whole output of each parallel step, in the order in which they end', async () => {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const first = { name: 'first', action: () => released.then(() => ({ text: 'late\n', verdict: 'not checked' })) };
  const last = { name: 'last', action: release };
  await runSideBySide([first, last]);
  expect(printed()).toEqual(['\n── last ──\n── last ok, N s\n', '\n── first ──\nlate\n── first not checked, N s\n']);
});

it('prints the output of a failed parallel step, lets the others finish, and throws the first failure', async () => {
  const wrong = node('wrong', 'console.log("on line 1"); console.error("on line 2"); process.exit(3)');
  const broken = { name: 'broken', action: () => Promise.reject(new Error('no')) };
  const running = runSideBySide([wrong, broken, node('right', 'console.log("fine")')]);
  await expect(running).rejects.toThrow(/ended with code 3\.$/);
  expect(printed().toSorted()).toEqual([
    '\n── broken ──\nno\n── broken failed after N s\n',
    '\n── right ──\nfine\n── right ok, N s\n',
    '\n── wrong ──\non line 1\non line 2\n── wrong failed after N s\n',
  ]);
});

it('prints the name of a single step before it runs, and throws if it fails', async () => {
  await runStep({ name: 'fine', action: () => ({ text: 'done\n' }) });
  const broken = runStep({ name: 'broken', action: () => Promise.reject(new Error('no')) });
  await expect(broken).rejects.toThrow('no');
  expect(printed()).toEqual([
    '\n── fine ──\n',
    'done\n── fine ok, N s\n',
    '\n── broken ──\n',
    '── broken failed after N s\n',
  ]);
});
