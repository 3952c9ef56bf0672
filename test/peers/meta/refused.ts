/** What Meta answers with a code of its table. */
export class Refused extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, status = 400) {
    super(String(code))
    this.code = code
    this.status = status
  }
}
