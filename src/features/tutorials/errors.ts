import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about tutorials. */
export const errors = {
  ERR_NO_TUTORIAL_FOUND: { status: 404, text: 'Tutorial não encontrado.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    tutorials: typeof errors
  }
}
