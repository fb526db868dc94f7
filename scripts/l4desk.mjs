// `npm run -s l4desk -- …`: the command-line tool. Standard output contains only the tool's output.
import { launch } from './lib/launch.mjs';

await launch('cli', 'main', { quiet: true });
