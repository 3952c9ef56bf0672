import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about the calendar. */
export const errors = {
  ERR_NO_CALENDAR_FOUND: { status: 404, text: 'Esta agenda não existe mais.' },
  ERR_NO_CALENDAR_EVENT_FOUND: { status: 404, text: 'Este evento não existe mais.' },
  ERR_CALENDAR_CHANGED: { status: 409, text: 'O evento mudou no Google. Recarregue e altere de novo.' },
  ERR_CALENDAR_PAST: { status: 422, text: 'O que já passou não pode ser alterado.' },
  ERR_CALENDAR_READ_ONLY: { status: 422, text: 'Este evento só pode ser alterado no Google, por quem o criou.' },
  ERR_CALENDAR_NOT_CONNECTED: { status: 422, text: 'Ninguém entrou com o Google nesta agenda ainda.' },
  ERR_CALENDAR_LOGIN: { status: 422, text: 'O Google não aceitou o login. Comece de novo.' },
  ERR_MAX_CALENDARS: { status: 422, text: 'A empresa já tem 20 agendas.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    calendar: typeof errors
  }
}
