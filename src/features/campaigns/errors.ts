import type { ErrorPart } from '#kit/errors.ts'

/** Errors of requests about campaigns. */
export const errors = {
  ERROR_CAMPAIGN_NOT_EXISTS: { status: 404, text: 'Campanha não encontrada.' },
  ERROR_CAMPAIGN_DATE_NOT_VALID: { status: 400, text: 'O início não pode ser antes de hoje.' },
  ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING: {
    status: 409,
    text: 'Só uma campanha pendente ou cancelada pode ser alterada.',
  },
  ERR_CAMPAIGN_STATE: { status: 409, text: 'A campanha não está em uma situação que permita isso.' },
  ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND: { status: 409, text: 'A campanha não tem contatos.' },
  ERR_CAMPAIGN_CONTACTS_NOT_EXISTS: { status: 404, text: 'Este contato não está na campanha.' },
  ERR_CAMPAIGN_PLAN: { status: 422, text: 'Este plano não pode ser enviado como está.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    campaigns: typeof errors
  }
}
