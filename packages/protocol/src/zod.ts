/**
 * The one place that imports zod. In a page schemas are compiled without `new Function`, because the dashboard runs under
 * a content security policy without `unsafe-eval`; a service reads what is compiled three times as fast. zod reads the
 * switch when a schema is built, so it is set here first. It is one for the whole program, which may use zod itself: where
 * nothing has to be changed, nothing is.
 */
import * as z from 'zod';

if (!('process' in globalThis)) z.config({ jitless: true });

export { z };
