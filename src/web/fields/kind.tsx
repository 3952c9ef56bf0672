import type { ComponentType } from 'react'
import type { Field } from '#kit/fields/kinds.ts'

/** Props of a field's input; `onChange` receives values of the field's kind. */
export type InputProps<F, Value> = {
  field: F
  value: Value
  error?: string | undefined
  disabled?: boolean
  autoFocus?: boolean
  onChange: (value: Value) => void
}

/** Field kind on the screen: its input in a form, and its value in a list. */
export type WebKind<F, Value> = {
  Input: ComponentType<InputProps<F, Value>>
  Cell: ComponentType<{ field: F; value: Value }>
}

/** Returns the props that every input shows of its field. */
export const shownOf = ({
  field,
  error,
  disabled = false,
  autoFocus,
}: Pick<
  InputProps<Pick<Field, 'label' | 'hint' | 'required'>, never>,
  'field' | 'error' | 'disabled' | 'autoFocus'
>) => ({
  label: field.label,
  description: field.hint,
  required: field.required ?? false,
  error,
  disabled,
  'data-autofocus': autoFocus || undefined,
})

/** Text in a list, cut where it is too long. */
export function TextCell({ value }: { value: unknown }) {
  return <span className="g-cut">{String(value ?? '')}</span>
}
