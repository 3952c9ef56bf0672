import type { ErrorPart } from '#kit/errors.ts'

/** Errors of requests about samples. */
export const errors = {
  ERR_NO_SAMPLE_FOUND: { status: 404, text: 'Amostra não encontrada.' },
  ERR_SAMPLE_EXISTS: { status: 409, text: 'Já existe uma amostra com este nome.' },
  ERR_SAMPLE_USED_UP: { status: 409, text: 'Esta amostra acabou.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    samples: typeof errors
  }
}
