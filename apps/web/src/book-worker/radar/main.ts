import { serviceDeps } from '../worker/service-deps.ts';
import type { FromRadar, ToRadar } from './messages.ts';
import { RadarModel } from './radar-model.ts';

const model = new RadarModel({
  ...serviceDeps((credits) => self.postMessage({ kind: 'paid', credits } satisfies FromRadar)),
  post: (message) => self.postMessage(message),
});

self.addEventListener('message', (event: MessageEvent<ToRadar>) => model.receive(event.data));
