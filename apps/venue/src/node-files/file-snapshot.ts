import { writeFile } from 'node:fs/promises';
import { z } from '@l4desk/protocol';
import type { BlockSource } from '../feed/source.ts';
import { type HttpResponse, jsonResponse, textResponse } from '../http.ts';
import { toNodeOrder } from './node-lines.ts';

/** The request to a node's info server for a snapshot of all books. */
const fileSnapshotRequest = z.object({
  type: z.literal('fileSnapshot'),
  request: z.object({
    type: z.literal('l4Snapshots'),
    includeUsers: z.literal(true),
    includeTriggerOrders: z.boolean(),
  }),
  outPath: z.string().min(1),
  includeHeightInOutput: z.literal(true),
});

/** Writes every book to the requested file and responds once it is written. */
export async function fileSnapshot(query: unknown, source: BlockSource): Promise<HttpResponse> {
  const asked = fileSnapshotRequest.safeParse(query);
  if (!asked.success) return textResponse(422, 'Failed to deserialize the JSON body into the target type');
  const books = source.coins.map(({ name }) => [
    name,
    (source.book(name) ?? [[], []]).map((side) => side.map((order) => [order.user, toNodeOrder(order, order.sz)])),
  ]);
  try {
    await writeFile(asked.data.outPath, JSON.stringify([source.height, books]));
  } catch (error) {
    return textResponse(500, error instanceof Error ? error.message : String(error));
  }
  return jsonResponse(200, null);
}
