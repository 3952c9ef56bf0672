import { idOf, textOf } from '../json.ts'
import { countMessage, effect, rendered } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** SMS to the contact's number, by a connection that supports it; null: the first such connection. */
    textMessage: { readonly text: string; readonly connectionId: number | null }
  }
}

declare module '../session.ts' {
  interface Effects {
    textMessage: { readonly body: string; readonly connectionId: number | null }
  }
}

/** Sends an SMS, regardless of the conversation's channel. */
export const textMessage: NodeKind<'textMessage'> = {
  types: {
    SmsField: {
      label: 'SMS',
      form: [
        { key: 'smsService', kind: 'connection', label: 'Canal' },
        { key: 'smsMessage', kind: 'textMessage', label: 'SMS' },
      ],
    },
  },
  read: (fields) => ({ text: textOf(fields['smsMessage']), connectionId: idOf(fields['smsService']) }),
  texts: ({ text }) => [text],
  check: ({ connectionId }, { smsIds }) => [
    ...(connectionId !== null && !smsIds.has(connectionId)
      ? [['deletedChannel', 'envia um SMS por um canal que não existe.'] as const]
      : []),
    ...(smsIds.size === 0 ? [['unavailable', 'envia um SMS, mas não há canal de SMS: ele é pulado.'] as const] : []),
  ],
  perform(run, { text, connectionId }) {
    const body = rendered(run, text).trim()
    if (body !== '' && countMessage(run)) effect(run, { type: 'textMessage', body, connectionId })
  },
}
