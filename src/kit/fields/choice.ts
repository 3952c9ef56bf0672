import { z } from 'zod'
import { keysIn } from '#domain/keys.ts'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Choice field; `options` are the stored values with their labels, `inView` shows all of them at once. */
export type ChoiceField = FieldOf<
  'choice',
  string | null,
  { readonly options: Readonly<Record<string, string>>; readonly inView?: true }
>

/** Field kind for one of a few options, or null. */
export const choice: FieldKind<ChoiceField, string | null> = {
  schema: (field) => orNull(z.enum(keysIn(field.options), { error: 'Escolha uma das opções.' }), field),
  empty: null,
  column: 'text',
  filter: 'values',
  samples: ({ options }) => ({ good: Object.keys(options), bad: ['nenhuma destas', '', 5, {}, []] }),
  toText: (value, { options }) => (value === null ? '' : (options[value] ?? value)),
  fromText: (text, { options }) => {
    const word = text.trim().toLowerCase()
    const found = Object.entries(options).find(([key, name]) => [key.toLowerCase(), name.toLowerCase()].includes(word))
    return word === '' ? null : (found?.[0] ?? text)
  },
}
