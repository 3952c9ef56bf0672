import type { ErrorPart } from '#kit/errors.ts'

/** Error codes of greetings that are not sent. */
export const errors = {
  ERR_ALREADY_GREETED: { status: 409, text: 'Já recebeu os parabéns deste ano.' },
  ERR_NO_BIRTHDAY: { status: 409, text: 'Não faz aniversário hoje.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    birthdays: typeof errors
  }
}
