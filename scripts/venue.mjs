// `npm run venue`: the simulated exchange alone.
import { launch } from './lib/launch.mjs';

await launch('venue', 'main');
