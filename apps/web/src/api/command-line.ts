/**
 * The shell command that starts the command-line tool, for commands shown on a page. In the repository it is an npm script; a
 * package writes its own command into the page.
 */
export function commandLine(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="l4desk-command"]')?.content ?? 'npm run -s l4desk --';
}
