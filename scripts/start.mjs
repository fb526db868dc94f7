// `npm start`: installs what is missing, builds, and runs the service, which starts everything its settings name.
import { launch } from './lib/launch.mjs';

await launch('bff', 'main', { needs: ['bff', 'venue', 'web'] });
