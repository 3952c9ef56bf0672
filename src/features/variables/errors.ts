import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about constants. */
export const errors = {
  ERR_NO_CONSTANT_FOUND: { status: 404, text: 'Constante não encontrada.' },
  ERR_CONSTANT_USED: {
    status: 409,
    text: 'Há textos com esta constante. Tire-a primeiro deles: a coluna “Usada em” leva a cada um.',
  },
  ERR_MAX_CONSTANTS: { status: 409, text: 'Uma empresa tem até 200 constantes.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    variables: typeof errors
  }
}
