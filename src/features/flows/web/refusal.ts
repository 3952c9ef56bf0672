import { isApiError, sentence } from '#web/api.ts'

/** Explains why a flow was refused: the problem of the document, else the server's message. */
export function refusalText(error: unknown): string {
  const why = isApiError(error) ? error.details['flow'] : undefined
  return typeof why === 'string' ? why : sentence(error)
}
