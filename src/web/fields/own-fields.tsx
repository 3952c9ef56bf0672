import type { z } from 'zod'
import { fieldOf, type fieldValues, type OwnField } from '#kit/own-fields.ts'
import { Notice } from '../ui/inputs/fields.tsx'
import { FieldInput } from './field.tsx'

/** Values of custom fields in a form, by field id. */
export type OwnFieldValues = z.output<typeof fieldValues>

/** Returns the changed values only: an unchanged stored one may be older than a rule of its field. */
export const changedValues = (values: OwnFieldValues, stored: OwnFieldValues = {}): OwnFieldValues =>
  Object.fromEntries(Object.entries(values).filter(([id, value]) => value !== stored[id]))

/** Custom fields in a form, each with the input of its kind. */
export function OwnFields(props: {
  fields: readonly OwnField[]
  values: OwnFieldValues
  error: string | undefined
  onChange: (values: OwnFieldValues) => void
}) {
  const { fields, values, error, onChange } = props
  return (
    <>
      {error && <Notice tone="neg">{error}</Notice>}
      {fields.map((field) => (
        <FieldInput
          key={field.id}
          field={fieldOf(field)}
          value={values[field.id] ?? (field.type === 'text' ? '' : field.type === 'boolean' ? false : null)}
          onChange={(value) => onChange({ ...values, [field.id]: value })}
        />
      ))}
    </>
  )
}
