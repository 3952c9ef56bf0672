import type { CalendarConfig } from '../port.ts'

/** Config of Google's calendar, accessed by the company's own app. */
export const googleConfig = {
  id: 'google',
  name: 'Google Agenda',
  environment: ['GOOGLE_LOGIN_URL', 'GOOGLE_TOKEN_URL', 'GOOGLE_CALENDAR_URL'],
  help: 'No Google Cloud, ative a Google Calendar API e crie um ID do cliente OAuth do tipo aplicativo da Web.',
  fields: {
    googleClientId: {
      ...{ kind: 'text', label: 'ID do cliente', max: 200, required: true, missing: 'Informe o ID do cliente.' },
      asksAgain: true,
    },
    googleClientSecret: {
      ...{ kind: 'secret', label: 'Chave secreta do cliente', required: true, missing: 'Informe a chave secreta.' },
      again: 'Informe a chave secreta de novo: o ID do cliente mudou.',
    },
    calendarId: {
      ...{ kind: 'text', label: 'Agenda', max: 200, default: 'primary' },
      hint: 'primary é a principal da conta; o ID de outra está nas configurações dela no Google.',
    },
    refreshToken: {
      ...{ kind: 'secret', label: 'Token de renovação' },
      hint: 'O login com o Google o preenche.',
      again: 'Deixe em branco e entre de novo com o Google: o ID do cliente mudou.',
    },
  },
} as const satisfies CalendarConfig
