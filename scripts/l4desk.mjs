// `npm run -s l4desk -- …`: the command-line tool. Standard output is the tool's alone.
import { launch } from './lib/launch.mjs';

await launch('cli', 'main', { quiet: true });
