import { useQuery } from '@tanstack/react-query'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { TEMPLATE_VARIABLES, type TemplateValues, templateValues, unknownVariables } from '#domain/messages/template.ts'
import { firstOf } from '#domain/present.ts'
import { choices } from './choices.ts'
import { timeZone } from './format.ts'
import { stored, viewer } from './session/session.ts'
import { t } from './t.ts'

/** Variable of the company's own that every text may use. */
export type OwnVariable = { readonly name: string; readonly label: string; readonly example: string }

/** Returns the company's own variables; undefined while loading. */
export const useOwnVariables = (): readonly OwnVariable[] | undefined =>
  useQuery(choices('variables')).data?.filter(({ kind }) => kind !== 'captured')

/**
 * Returns the warning on unknown variables in a text while it is written; null without any. `offered`: variables that this
 * place fills, names of groups ending in a point.
 */
export function useUnknownVariables(text: string, offered: readonly string[] = []): string | null {
  const own = useOwnVariables()
  if (!own || !text.includes('{{')) return null
  const known = [...Object.keys(TEMPLATE_VARIABLES), ...offered, ...own.map(({ name }) => name)]
  const names = unknownVariables(text, known).map((name) => `{{${name}}}`)
  if (names.length === 0) return null
  return names.length === 1
    ? t('Não existe a variável {names}; o texto sairia como está escrito.', { names: firstOf(names) })
    : t('Não existem as variáveis {names}; o texto sairia como está escrito.', { names: names.join(', ') })
}

/** Returns a text with a variable in place of its area's selection; at the end if the selection is unknown. */
export function withVariable(text: string, area: HTMLTextAreaElement | null, name: string): string {
  const { selectionStart = text.length, selectionEnd = selectionStart } = area ?? {}
  return `${text.slice(0, selectionStart)}{{${name}}}${text.slice(selectionEnd)}`
}

/** Returns the values of the variables in an example conversation, now. */
export function exampleValues(own: readonly OwnVariable[] = []): TemplateValues {
  const now = Date.now()
  return templateValues({
    contact: {
      name: t('Marlene Dias'),
      businessName: t('Padaria Sol'),
      email: 'marlene@exemplo.com.br',
      phoneNumber: '+55 (11) 98765-4321',
      kanban: t('Proposta enviada'),
    },
    user: { name: viewer().username, email: stored<{ email?: string }>('usuario')?.email ?? '' },
    ticket: { id: 1234, createdAt: now },
    own: Object.fromEntries(own.map(({ name, example }) => [name, example])),
    now,
    offsetMinutes: offsetMinutes(timeZone(), now),
  })
}
