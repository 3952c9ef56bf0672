import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about queues. */
export const errors = {
  ERR_NO_QUEUE_FOUND: { status: 404, text: 'Fila não encontrada.' },
  ERR_QUEUE_TICKET_EXISTS: { status: 409, text: 'Há atendimentos nesta fila. Mova-os antes de excluir.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    queues: typeof errors
  }
}
