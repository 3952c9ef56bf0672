import { textOf } from '../json.ts'
import { countMessage, effect, rendered } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** Phone call by a voice assistant, from one of the account's numbers; `number` empty: the contact's number. */
    phoneCall: { readonly assistantId: string; readonly phoneNumberId: string; readonly number: string }
  }
}

declare module '../session.ts' {
  interface Effects {
    phoneCall: { readonly assistantId: string; readonly phoneNumberId: string; readonly to: string }
  }
}

/** Starts a voice assistant's call to the customer; the flow continues meanwhile. */
export const phoneCall: NodeKind<'phoneCall'> = {
  types: {
    VapiField: {
      label: 'Ligação (Vapi)',
      form: [
        { key: 'assistantId', kind: 'phone', what: 'assistants', label: 'Assistente de voz' },
        { key: 'phoneNumberId', kind: 'phone', what: 'numbers', label: 'De qual número' },
        {
          key: 'customerNumber',
          kind: 'template',
          isPlain: true,
          label: 'Número do cliente',
          hint: 'Com DDI e DDD. Vazio: o do contato.',
        },
      ],
    },
  },
  read: (fields) => ({
    assistantId: textOf(fields['assistantId']).trim(),
    phoneNumberId: textOf(fields['phoneNumberId']).trim(),
    number: textOf(fields['customerNumber']),
  }),
  texts: ({ number }) => [number],
  check: ({ assistantId, phoneNumberId }) => [
    ...(assistantId === '' ? [['deletedAssistant', 'não diz qual assistente de voz liga.'] as const] : []),
    ...(phoneNumberId === '' ? [['deletedAssistant', 'não diz de qual número se liga.'] as const] : []),
  ],
  perform(run, { assistantId, phoneNumberId, number }) {
    if (assistantId === '' || phoneNumberId === '') return
    if (countMessage(run))
      effect(run, { type: 'phoneCall', assistantId, phoneNumberId, to: rendered(run, number).trim() })
  },
}
