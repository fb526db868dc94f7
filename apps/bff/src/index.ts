/** The parts of the service that tests start on their own. */
export { readSettings } from './config/read-settings.ts';
export type { Settings } from './config/settings.ts';
export type { Replaced, ServiceDeps } from './context.ts';
export { createInfoClient, type InfoClient, type InfoClientOptions } from './exchange/info-client.ts';
export { createLog } from './log/log.ts';
export type { Dashboard } from './pages/dashboard.ts';
export { type Service, startService } from './server.ts';
