import { fieldOf } from '#kit/own-fields.ts'
import type { Choices } from '#web/choices.ts'
import { FieldCell } from '#web/fields/field.tsx'
import type { Opportunity } from '../contract.ts'
import css from './funnel.module.css'

/** Values of the company's own fields, as a card shows them. */
export function OwnValues({
  shown,
  fields,
}: Pick<Opportunity, 'fields'> & { shown: readonly Choices['opportunityFields'][] }) {
  return shown.map((field) => (
    <span key={field.id} className={css.detail}>
      <span>{field.name}:</span>
      <span className="g-cut">
        <FieldCell field={fieldOf(field)} value={fields[field.id]} />
      </span>
    </span>
  ))
}
