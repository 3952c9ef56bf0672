import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import type { Answer } from '#kit/contract.ts'
import type { Choices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import { exampleValues } from '#web/variables.ts'
import type { variables } from '../addresses.ts'

/** Use of a variable in a text. */
export type Use = Answer<typeof variables.uses>['uses'][number]

/** Variable as listed: a standard one, the company's own, or (`unknown`) one used in texts without a source. */
export type VariableRow = {
  readonly name: string
  readonly kind: 'standard' | Choices['variables']['kind'] | 'unknown'
  readonly label: string
  readonly example: string
  /** Id of the constant; 0 for other variables. */
  readonly id: number
  readonly uses: readonly Use[]
}

/** Returns all variables with their uses: unknown ones first, then the company's own and the standard ones. */
export function rowsOf(own: readonly Choices['variables'][], uses: readonly Use[]): VariableRow[] {
  const byName = Map.groupBy(uses, ({ name }) => name)
  const of = (name: string) => byName.get(name) ?? []
  const standard = Object.entries(TEMPLATE_VARIABLES).map(([name, label]) => {
    const example = exampleValues()[name] ?? ''
    return { name, kind: 'standard' as const, label, example, id: 0, uses: of(name) }
  })
  // A name captured by several flows is one row; each flow fills it separately.
  const captured = Map.groupBy(
    own.filter(({ kind }) => kind === 'captured'),
    ({ name }) => name,
  )
  const fromFlows = [...captured].map(([name, all]) => {
    const flows = new Set(all.map(({ id }) => id))
    return {
      ...{ name, kind: 'captured' as const, example: '', id: 0 },
      label: t('Guardada por {flows}', { flows: all.map(({ label }) => `“${label}”`).join(', ') }),
      uses: uses.filter((use) => use.kind === 'flow' && flows.has(use.id) && isOf(use.name, name)),
    }
  })
  const shared = own.filter(({ kind }) => kind !== 'captured')
  const company = shared.map((one) => {
    const label = one.kind === 'constant' ? t('Constante') : t('Campo “{name}” do contato', { name: one.label })
    return { ...one, label, id: one.kind === 'constant' ? one.id : 0, uses: of(one.name) }
  })
  const everywhere = new Set([...standard, ...company].map(({ name }) => name))
  const isFilled = (use: Use) => everywhere.has(use.name) || fromFlows.some(({ uses: filled }) => filled.includes(use))
  const unknown = [
    ...Map.groupBy(
      uses.filter((use) => !isFilled(use)),
      ({ name }) => name,
    ),
  ].map(([name, at]) => {
    const label = t('Ninguém a preenche: sai como está escrita')
    return { name, kind: 'unknown' as const, label, example: `{{${name}}}`, id: 0, uses: at }
  })
  return [...unknown, ...company, ...fromFlows, ...standard]
}

const isOf = (used: string, name: string) => (name.endsWith('.') ? used.startsWith(name) : used === name)

/** Formats a variable as in texts; a call's result has further names after the point. */
export const written = (name: string): string => `{{${name.endsWith('.') ? `${name}…` : name}}}`
