import { AppError, errorText } from '#kit/errors.ts'
import type { Platform } from '../platform.ts'

/** Answer of a provider to the entered values, as a sentence. */
export type Trial = { readonly ok: boolean; readonly text: string }

/** Result of testing credentials with an adapter. */
export type Tried = { readonly ok: true; readonly note?: string } | { readonly ok: false; readonly problem: string }

/**
 * Tests whether a provider accepts the entered values; `sentenceOf` extracts the sentence from the error of the provider's
 * kind.
 */
export async function tryProvider(
  platform: Platform,
  provider: string,
  ask: () => Promise<Tried>,
  sentenceOf: (error: unknown) => string | null,
): Promise<Trial> {
  try {
    const result = await ask()
    return result.ok
      ? { ok: true, text: result.note ?? 'O provedor respondeu e aceitou os dados.' }
      : { ok: false, text: result.problem }
  } catch (error) {
    platform.log.warn({ err: error, provider }, 'a provider was tried and did not answer')
    const code = error instanceof AppError ? error.code : 'ERR_OUTSIDE_CALL'
    return { ok: false, text: errorText(sentenceOf(error) ?? code) }
  }
}
