/**
 * The only module that imports zod. In a page, schemas must be compiled without `new Function`, because the dashboard runs
 * under a content security policy without `unsafe-eval`; in a service, compiled schemas read three times as fast. zod reads the
 * setting when a schema is built, so it is set here first. The setting applies to the whole program, which may use zod itself,
 * so it is changed only if necessary.
 */
import * as z from 'zod';

if (!('process' in globalThis)) z.config({ jitless: true });

export { z };
