/** Error with a code of Meta's table. */
export class Refused extends Error {
  readonly code: number
  readonly status: number
  readonly subcode: number | undefined
  /** Seconds until the caller may retry. */
  readonly retryAfter: number | undefined
  constructor(code: number, status = 400, subcode?: number, retryAfter?: number) {
    super(String(code))
    this.code = code
    this.status = status
    this.subcode = subcode
    this.retryAfter = retryAfter
  }
}
