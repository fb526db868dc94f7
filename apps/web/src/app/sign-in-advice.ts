import { ServiceError } from '@l4desk/client';
import { sentence } from '../ui/page/advice.ts';

export interface SignInAdvice {
  /** The field it is about; undefined when about none. */
  readonly field: 'apiKey' | 'serviceKey' | undefined;
  /** What happened and what to do. */
  readonly text: string;
}

/** An error of signing in as an instruction. */
export function signInAdvice(error: Error, byLink: boolean): SignInAdvice {
  if (!(error instanceof ServiceError)) {
    return { field: undefined, text: 'The service does not answer. See that it runs, then try again.' };
  }
  const field = error.path === 'apiKey' || error.path === 'serviceKey' ? error.path : undefined;
  switch (error.code) {
    case 'unauthorized':
      return byLink
        ? {
            field: undefined,
            text: 'This sign-in link was used before or is too old. Start the service again for a new one, or sign in with a key.',
          }
        : { field, text: 'The service knows no such key, or it was revoked. Check that all of it was copied.' };
    case 'wrong_credential':
      return { field, text: 'This is the other kind of key. Paste it into the other field.' };
    case 'too_many_attempts':
      return {
        field,
        text: 'The service knows no such credential, and too many unknown ones came from this address. Check that all of it was copied, or wait a minute.',
      };
    case 'forbidden_origin':
      return { field: undefined, text: `The service does not accept this address. ${sentence(error.message)}` };
    default:
      return { field, text: sentence(error.message) };
  }
}
