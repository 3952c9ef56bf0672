import { isApiError, isExplained, sentence } from './api.ts'
import { t } from './t.ts'

/**
 * Returns the text for a conversation that cannot be opened: the server's sentence, or `Warning!` without one (specification
 * §8).
 */
export function openingProblem(error: unknown): string {
  if (!isApiError(error)) return t('Warning!')
  const isKnown = isExplained(error) && error.code !== 'ERR_UNIDENTIFIED'
  return error.status === 0 || isKnown ? sentence(error) : t('Warning!')
}
