import { ColorInput, TextInput } from '@mantine/core'
import type { ResourceField } from '#kit/resource.ts'
import { t } from '../t.ts'
import { CheckIcon, MinusIcon } from '../ui/icons.ts'
import { squareColor } from '../ui/identity/hue.ts'
import { SwitchGroup, SwitchRow, TextArea } from '../ui/inputs/fields.tsx'
import css from './resource.module.css'

/** Colours on offer for queues, tags and stages: one per hue of the design, told apart in both modes. */
const swatches = [
  '#B4468F',
  '#7D5BC4',
  '#3874B6',
  '#2B8FA8',
  '#2BA38F',
  '#3F9A4D',
  '#8C9A1F',
  '#C17513',
  '#D2603A',
  '#A82D28',
]

/** The value of a field in a list: text, yes/no, or a square of its colour. */
export function FieldCell({ field, value }: { field: ResourceField; value: unknown }) {
  if (field.kind === 'boolean') {
    return (
      <span
        role="img"
        aria-label={value ? t('Sim') : t('Não')}
        className={css.flag}
        data-on={Boolean(value) || undefined}
      >
        {value ? <CheckIcon size={17} /> : <MinusIcon size={17} />}
      </span>
    )
  }
  if (field.kind === 'color') {
    return (
      <span className={css.color}>
        <i style={{ background: squareColor(String(value)) }} />
        {String(value)}
      </span>
    )
  }
  return <span className="g-cut">{String(value ?? '')}</span>
}

/** The input of a field in a form. */
export function FieldInput(props: {
  field: ResourceField
  value: unknown
  error: string | undefined
  onChange: (value: string | boolean) => void
  autoFocus?: boolean
}) {
  const { field, value, error, onChange, autoFocus } = props
  if (field.kind === 'boolean') {
    return (
      <SwitchGroup>
        <SwitchRow
          name={field.label}
          checked={Boolean(value)}
          onChange={onChange}
          {...(field.hint ? { effect: field.hint } : {})}
        />
      </SwitchGroup>
    )
  }
  const common = {
    label: field.label,
    description: field.hint,
    error,
    required: field.required ?? false,
    value: String(value ?? ''),
  }
  if (field.kind === 'color') {
    return (
      <ColorInput
        {...common}
        format="hex"
        withEyeDropper={false}
        swatches={swatches}
        swatchesPerRow={10}
        onChange={onChange}
      />
    )
  }
  if (field.kind === 'longtext') {
    return <TextArea {...common} maxLength={field.max} onChange={(event) => onChange(event.currentTarget.value)} />
  }
  return (
    <TextInput
      {...common}
      data-autofocus={autoFocus || undefined}
      maxLength={field.max ?? 255}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
