import { fieldOf } from '#kit/own-fields.ts'
import type { Choices } from '#web/choices.ts'
import { FieldCell } from '#web/fields/field.tsx'
import type { Opportunity } from '../contract.ts'
import css from './funnel.module.css'

/** Values of custom fields on a card. */
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
