/** What Meta answers with a code of its table. */
export class Refused extends Error {
  readonly code: number
  readonly status: number
  readonly subcode: number | undefined
  constructor(code: number, status = 400, subcode?: number) {
    super(String(code))
    this.code = code
    this.status = status
    this.subcode = subcode
  }
}
