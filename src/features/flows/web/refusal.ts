import { isApiError, sentence } from '#web/api.ts'

/** Why a flow was refused, for people: what is wrong with the document, else the server's sentence. */
export function refusalText(error: unknown): string {
  const why = isApiError(error) ? error.details['flow'] : undefined
  return typeof why === 'string' ? why : sentence(error)
}
