/** A request of a known kind with fields of the wrong shape; the exchange returns 422 as to an unknown kind. */
export class InvalidInfoRequest extends Error {
  readonly code = 'invalid_info_request';

  constructor() {
    super('the request does not fit its type');
    this.name = 'InvalidInfoRequest';
  }
}
