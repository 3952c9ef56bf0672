import { type ProviderFields as Fields, type ProviderValues, shownFields, withUsual } from '#kit/provider.ts'
import { FieldInput } from './field.tsx'
import css from './fields.module.css'

/** Maximum length of a label beside another field; a longer one would break into two lines. */
const MOST_LABEL = 32

// Fields of other kinds are placed side by side where there is room.
const isWide = ({ kind, label }: Fields[string]) =>
  ['longtext', 'boolean', 'url', 'choice'].includes(kind) || label.length > MOST_LABEL

/** Form of any provider, generated from its config; `values` may contain more than its fields. */
export function ProviderFields({
  fields,
  values,
  errors,
  set,
}: {
  fields: Fields
  values: Readonly<Record<string, unknown>>
  errors: Readonly<Record<string, string>>
  set: (name: string, value: ProviderValues[string]) => void
}) {
  const change = (name: string, value: unknown) => {
    const before = values as ProviderValues
    for (const [key, next] of Object.entries(withUsual(fields, before, name, value)))
      if (next !== before[key]) set(key, next)
  }
  return (
    <div className={css.provider}>
      {Object.entries(shownFields(fields, values)).map(([name, field]) => (
        <div key={name} data-wide={isWide(field) || undefined}>
          <FieldInput
            field={field}
            value={values[name]}
            error={errors[name]}
            onChange={(value) => change(name, value)}
          />
        </div>
      ))}
    </div>
  )
}
