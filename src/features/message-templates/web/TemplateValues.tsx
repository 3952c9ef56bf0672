import { TextInput } from '@mantine/core'
import { t } from '#web/t.ts'
import type { MessageTemplateRow } from '../contract.ts'

type Variable = MessageTemplateRow['variables'][number]

/** Fields for a template's values; `hint` describes what the body's values may contain. */
export function TemplateValues(props: {
  variables: readonly Variable[]
  values: Readonly<Record<string, string>>
  problems: Readonly<Record<string, string>>
  hint?: string
  onChange: (key: string, value: string) => void
}) {
  const { variables, values, problems, hint, onChange } = props
  return variables.map(({ key, part, name, sample }) => (
    <TextInput
      key={key}
      label={labelOf(part, name)}
      placeholder={sample}
      description={part === 'body' ? hint : undefined}
      value={values[key] ?? ''}
      error={problems[key]}
      onChange={(event) => onChange(key, event.currentTarget.value)}
    />
  ))
}

const labelOf = (part: Variable['part'], name: string): string =>
  part === 'header' ? t('Título') : part === 'button' ? t('Botão “{name}”', { name }) : `{{${name}}}`
