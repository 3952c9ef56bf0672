import { idOf } from '../json.ts'
import { effect } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    tag: { readonly tagId: number | null }
  }
}

declare module '../session.ts' {
  interface Effects {
    tag: { readonly tagId: number }
  }
}

/** Adds a tag to the ticket. */
export const tag: NodeKind<'tag'> = {
  types: { TagField: { label: 'Etiqueta', form: [{ key: 'tag', kind: 'tag', label: 'Etiqueta' }] } },
  read: (fields) => ({ tagId: idOf(fields['tag']) }),
  check: ({ tagId }, { tagIds }) =>
    tagId !== null && tagIds.has(tagId) ? [] : [['deletedTag', 'usa uma etiqueta que não existe.']],
  perform(run, { tagId }) {
    if (tagId !== null) effect(run, { type: 'tag', tagId })
  },
}
