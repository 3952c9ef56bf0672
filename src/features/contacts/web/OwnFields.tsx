import type { Choices } from '#web/choices.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { fieldOf } from '../forms.ts'
import type { FormValues } from './form-values.ts'

/** The fields of the company's own in a contact's form, each with the input of its kind. */
export function OwnFields(props: {
  fields: readonly Choices['contactFields'][]
  values: FormValues['fields']
  error: string | undefined
  onChange: (values: FormValues['fields']) => void
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
          onChange={(value) => onChange({ ...values, [field.id]: value as FormValues['fields'][string] })}
        />
      ))}
    </>
  )
}
