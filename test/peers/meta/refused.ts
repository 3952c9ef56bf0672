/** What Meta answers with a code of its table. */
export class Refused extends Error {
  readonly code: number
  readonly status: number
  readonly subcode: number | undefined
  /** So many seconds it wants to be left alone. */
  readonly retryAfter: number | undefined
  constructor(code: number, status = 400, subcode?: number, retryAfter?: number) {
    super(String(code))
    this.code = code
    this.status = status
    this.subcode = subcode
    this.retryAfter = retryAfter
  }
}
