import { difference, flow, life, tape, time } from '../worker/past/past-panes.ts';
import { map } from './draw-map.ts';
import { figures } from './figures.ts';
import { level } from './level.ts';
import { owners } from './owners.ts';
import { queue, queues } from './queues.ts';
import { ruler } from './ruler.ts';
import { sweep } from './sweep.ts';

export const PANES = {
  level,
  ruler,
  map,
  owners,
  figures,
  sweep,
  queues,
  queue,
  time,
  tape,
  flow,
  life,
  difference,
};
