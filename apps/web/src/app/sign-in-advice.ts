import { ServiceError } from '@l4desk/client';
import { sentence } from '../ui/page/advice.ts';

export interface SignInAdvice {
  /** The field that the error is about; undefined if it is about neither. */
  readonly field: 'apiKey' | 'serviceKey' | undefined;
  readonly text: string;
}

export function signInAdvice(error: Error, byLink: boolean): SignInAdvice {
  if (!(error instanceof ServiceError)) {
    return { field: undefined, text: 'The service is not responding. Check that it is running, then try again.' };
  }
  const field = error.path === 'apiKey' || error.path === 'serviceKey' ? error.path : undefined;
  switch (error.code) {
    case 'unauthorized':
      return byLink
        ? {
            field: undefined,
            text: 'This sign-in link has been used or has expired. Restart the service for a new one, or sign in with a key.',
          }
        : { field, text: 'Unknown or revoked key. Check that you copied all of it.' };
    case 'wrong_credential':
      return { field, text: 'This key belongs in the other field.' };
    case 'too_many_attempts':
      return {
        field,
        text: 'Unknown credential, and too many failed attempts from this address. Check that you copied all of it, or wait a minute.',
      };
    case 'forbidden_origin':
      return { field: undefined, text: `The service does not accept this address. ${sentence(error.message)}` };
    default:
      return { field, text: sentence(error.message) };
  }
}
