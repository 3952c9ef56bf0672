import { textOf } from '../json.ts'
import { effect, rendered } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    note: { readonly text: string }
  }
}

declare module '../session.ts' {
  interface Effects {
    note: { readonly text: string }
  }
}

/** Writes a note for people. */
export const note: NodeKind<'note'> = {
  types: {
    NotesField: {
      label: 'Nota',
      form: [{ key: 'noteText', also: ['notes'], kind: 'template', label: 'Nota interna' }],
    },
  },
  read: (fields) => ({ text: textOf(fields['noteText'] ?? fields['notes']) }),
  texts: ({ text }) => [text],
  perform(run, one) {
    const text = rendered(run, one.text)
    if (text.trim() !== '') effect(run, { type: 'note', text })
  },
}
