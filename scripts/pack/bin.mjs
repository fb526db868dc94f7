#!/usr/bin/env node
// The `l4desk` command of the package: the product, the simulated exchange alone, or the command line. The selected
// program runs in this process: signals and the exit code are its own.
const HELP = `l4desk starts L4 Desk: service and dashboard, and the simulated exchange unless UPSTREAM says otherwise.

  l4desk                   starts the product; settings come from the environment or a file .env
  l4desk start --help      lists them
  l4desk venue             starts the simulated exchange alone; with --help it lists its settings
  l4desk <command>         works on the data directory or on a running service:

`;

const [word, ...words] = process.argv.slice(2);
const app = word === undefined || word === 'start' ? 'bff' : word === 'venue' ? 'venue' : 'cli';
if (word === 'start' || word === 'venue') process.argv.splice(2, 1);
if (words.length === 0 && (word === '--help' || word === '-h' || word === 'help')) process.stdout.write(HELP);
// Messages that mention a command use this name.
process.env.L4DESK_COMMAND = 'l4desk';
await import(`../${app}/dist/main.js`);
