import { textOf } from '../json.ts'
import { sendText } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    message: { readonly text: string }
  }
}

/** Sends a text. */
export const message: NodeKind<'message'> = {
  types: {
    MessageField: { label: 'Enviar mensagem', form: [{ key: 'message', kind: 'template', label: 'Mensagem' }] },
  },
  read: (fields) => ({ text: textOf(fields['message']) }),
  texts: ({ text }) => [text],
  perform: (run, { text }) => void sendText(run, text),
  isRepeated: true,
}
