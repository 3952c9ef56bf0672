import { isApiError, isExplained, sentence } from './api.ts'
import { t } from './t.ts'

/** What is said of a conversation that cannot be opened: what the server says, or `Warning!` where it says nothing (specification §8). */
export function openingProblem(error: unknown): string {
  if (!isApiError(error)) return t('Warning!')
  const isKnown = isExplained(error) && error.code !== 'ERR_UNIDENTIFIED'
  return error.status === 0 || isKnown ? sentence(error) : t('Warning!')
}
