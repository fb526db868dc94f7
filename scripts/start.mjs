// `npm start`: installs missing dependencies, builds, and runs the service, which starts everything that its settings name.
import { launch } from './lib/launch.mjs';

await launch('bff', 'main', { needs: ['bff', 'venue', 'web'] });
