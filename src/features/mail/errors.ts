import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about mail. */
export const errors = {
  ERR_MAIL_NOT_CONFIGURED: { status: 422, text: 'O envio de e-mails ainda não está configurado.' },
  ERR_MAIL_TEST: { status: 422, text: 'O e-mail de teste não saiu.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    mail: typeof errors
  }
}
