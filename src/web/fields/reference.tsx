import { Select } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { memberOf } from '#domain/present.ts'
import type { Field } from '#kit/fields/kinds.ts'
import type { ReferenceField, Referred } from '#kit/fields/reference.ts'
import type { ReferencesField } from '#kit/fields/references.ts'
import { choicesOf } from '../resource/read-all.ts'
import { t } from '../t.ts'
import { ManyChoice } from '../ui/inputs/ManyChoice.tsx'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

type Named = { id: number; name: string; isActive?: boolean }

const namedRows = ({ rows = 'items', name }: Referred, page: unknown): Named[] =>
  memberOf(page as Record<string, Record<string, unknown>[]>, rows).map((row) => ({
    id: row['id'] as number,
    name: String(row[name]),
    isActive: row['isActive'] !== false,
  }))

/** Returns the query of the rows that a field refers to, by name. */
const referredOf = (to: Referred) => choicesOf(to.list, (page) => namedRows(to, page))

/** Returns the rows that a field refers to, by name. */
export const useReferred = (to: Referred): readonly Named[] => useQuery(referredOf(to)).data ?? []

/** Returns the rows that each field that refers to another table may name, by field. */
export function useReferredBy(fields: Readonly<Record<string, Field>>): Readonly<Record<string, readonly Named[]>> {
  const references = Object.entries(fields).flatMap(([key, field]) =>
    field.kind === 'reference' ? [[key, field.to] as const] : [],
  )
  const found = useQueries({ queries: references.map(([, to]) => referredOf(to)) })
  return Object.fromEntries(references.map(([key], at) => [key, found[at]?.data ?? []]))
}

/** Input and list cell of a row of another table, by its name. */
export const reference: WebKind<ReferenceField, number | null> = {
  Input: (props) => {
    const rows = useReferred(props.field.to).filter((one) => one.isActive || one.id === props.value)
    return (
      <Select
        {...shownOf(props)}
        placeholder={t('Escolha')}
        searchable
        nothingFoundMessage={t('Nada com esse nome')}
        allowDeselect={!props.field.required}
        clearable={!props.field.required}
        data={rows.map((one) => ({ value: String(one.id), label: one.name }))}
        value={props.value === null ? null : String(props.value)}
        onChange={(id) => props.onChange(id === null ? null : Number(id))}
      />
    )
  },
  Cell: ({ field, value }) => {
    const rows = useReferred(field.to)
    return <TextCell value={rows.find((one) => one.id === value)?.name} />
  },
}

/** Input and list cell of rows of another table, by their names. */
export const references: WebKind<ReferencesField, number[]> = {
  Input: ({ field, value, error, onChange }) => (
    <ManyChoice
      label={field.label}
      none={t('Nada com esse nome')}
      options={useReferred(field.to)}
      chosen={value}
      onChange={onChange}
      error={error}
      {...(field.hint ? { hint: field.hint } : {})}
    />
  ),
  Cell: ({ field, value }) => {
    const rows = useReferred(field.to)
    return <TextCell value={value.map((id) => rows.find((one) => one.id === id)?.name ?? id).join(', ')} />
  },
}
