import type { ErrorPart } from '#kit/errors.ts'

/** How requests about message templates are refused. */
export const errors = {
  ERR_TEMPLATE_PROVIDER: { status: 422, text: 'O provedor não aceitou o pedido.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    messageTemplates: typeof errors
  }
}
