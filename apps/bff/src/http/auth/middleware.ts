import { ApiError } from '@l4desk/protocol';
import type { RequestHandler, Response } from 'express';
import { notesOf } from '../request-log.ts';
import type { Authoriser, Endpoint, Principal } from './principal.ts';

/** Middleware that refuses an unauthorised request, before its body is read (D1). `principalOf` returns who is authorised. */
export function authorise(authoriser: Authoriser, endpoint: Endpoint): RequestHandler {
  return async (request, response, next) => {
    const principal = await authoriser.authorise(request, endpoint);
    if (principal instanceof ApiError) throw principal;
    notesOf(response).principal = principal;
    next();
  };
}

/** The principal of a request that `authorise` let through. */
export function principalOf(response: Response): Principal {
  const { principal } = notesOf(response);
  if (principal === undefined) throw new Error('the route does not authorise its requests');
  return principal;
}
