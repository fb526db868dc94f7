import {
  type DocumentChange,
  type DocumentReplaced,
  documentReplaced,
  type KeptDocument,
  keptDocument,
} from '@l4desk/protocol';
import { request } from './request.ts';

/** Returns what the account keeps for all its browsers. The call is free. */
export function readDocument(): Promise<KeptDocument> {
  return request('/session/document', keptDocument);
}

/** Keeps a document on the account, unless another browser has replaced the version that it is based on. */
export function replaceDocument(change: DocumentChange): Promise<DocumentReplaced> {
  return request('/session/document', documentReplaced, { method: 'PUT', body: change });
}
