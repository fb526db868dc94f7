/**
 * How a shell starts the command line, for commands that a page shows. In the repository npm does; a package writes its own
 * command into the page.
 */
export function commandLine(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="l4desk-command"]')?.content ?? 'npm run -s l4desk --';
}
