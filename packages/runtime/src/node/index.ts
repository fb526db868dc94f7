/** The same for programs on Node: the clock, threads, files of settings and the addresses of running services. */
export { readEnvFile, type Variables, variableOf } from './env-file.ts';
export { makeDirectory } from './make-directory.ts';
export { type PostedLine, postedLog } from './posted-log.ts';
export {
  RpcClient,
  type RpcFailure,
  type RpcMethods,
  type RpcRequest,
  type RpcResponse,
  RpcServer,
  Transferred,
} from './rpc.ts';
export {
  announceService,
  isWildcard,
  localUrl,
  runningServices,
  SERVICE_DEFAULTS,
  type ServiceAddress,
} from './service-address.ts';
export { SupervisedWorker } from './supervised-worker.ts';
export { afterReading, every, pause, type SystemClock, systemClock, timeoutSignal } from './system-clock.ts';
