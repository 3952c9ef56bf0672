import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about message templates. */
export const errors = {
  ERR_TEMPLATE_PROVIDER: { status: 422, text: 'O provedor não aceitou o pedido.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    messageTemplates: typeof errors
  }
}
