import { askedBy } from '../choices.ts'
import { textOf, textsOf } from '../json.ts'
import { rendered, send } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    options: { readonly text: string; readonly options: readonly string[] }
  }
}

/** Asks with options, as the channel has them. */
export const options: NodeKind<'options'> = {
  types: {
    MessageOptionsField: {
      label: 'Opções',
      form: [
        { key: 'message', kind: 'template', label: 'Mensagem' },
        {
          key: 'values',
          kind: 'lines',
          label: 'Opções',
          hint: 'Uma por linha. Saem como botões onde o canal os tem, senão numeradas.',
        },
      ],
    },
  },
  read: (fields) => ({ text: textOf(fields['message']), options: textsOf(fields['values']) }),
  texts: (one) => [one.text, ...one.options],
  perform(run, one) {
    const body = rendered(run, one.text)
    const labels = one.options.map((option) => rendered(run, option))
    send(run, { type: 'send', ...askedBy(run.facts.channel, body, labels) })
  },
  isRepeated: true,
}
