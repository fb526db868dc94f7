/**
 * The one place that imports zod. Schemas are compiled without `new Function`, because the dashboard runs under a
 * content security policy without `unsafe-eval`; zod reads the switch when a schema is built, so it is set here first.
 */
import * as z from 'zod';

z.config({ jitless: true });

export { z };
