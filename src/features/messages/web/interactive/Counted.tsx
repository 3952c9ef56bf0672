import { TextInput } from '@mantine/core'
import { TextArea } from '#web/ui/inputs/fields.tsx'
import css from './interactive.module.css'

/** Text input with a character counter; accepts text over the channel's limit and marks it as an error. */
export function Counted(props: {
  label: string
  value: string
  most: number
  error?: string | undefined
  isLong?: boolean
  isFirst?: boolean
  onChange: (value: string) => void
}) {
  const { label, value, most, error, isLong = false, isFirst = false, onChange } = props
  const isOver = value.length > most
  const about = {
    ...{ label, value, error },
    description: (
      <span className={css.count} data-over={isOver || undefined}>
        {value.length}/{most}
      </span>
    ),
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
    ...(isFirst ? { 'data-autofocus': true } : {}),
  }
  if (isLong) return <TextArea grow {...about} maxRows={8} onChange={(event) => onChange(event.currentTarget.value)} />
  return <TextInput {...about} onChange={(event) => onChange(event.currentTarget.value)} />
}
