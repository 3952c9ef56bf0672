import type { ErrorPart } from '#kit/errors.ts'

/** How requests about contacts are refused. */
export const errors = {
  ERR_NO_CONTACT_FOUND: { status: 404, text: 'Contato não encontrado.' },
  ERR_DUPLICATED_CONTACT: { status: 409, text: 'Já existe um contato com esse número.' },
  ERR_BOARD_CHANGED: {
    status: 409,
    text: 'O painel mudou enquanto você movia: o cartão vizinho não está mais nesta etapa.',
  },
  ERR_CONTACT_TICKETS_REGISTERED: { status: 409, text: 'O contato tem atendimentos e não pode ser excluído.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    contacts: typeof errors
  }
}
