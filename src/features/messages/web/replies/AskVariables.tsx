import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'

const labels: Readonly<Record<string, string>> = TEMPLATE_VARIABLES

/** Dialog that asks for variables of a quick reply without a value; empty ones are omitted from the text. */
export function AskVariables(props: {
  title: string
  names: readonly string[]
  onFill: (values: Readonly<Record<string, string>>) => void
  onClose: () => void
}) {
  const { title, names, onFill, onClose } = props
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  return (
    <FormDialog
      title={t('Completar “{title}”', { title })}
      action={t('Usar mensagem')}
      onSubmit={async () => {
        onFill(values)
        onClose()
      }}
      onClose={onClose}
    >
      {names.map((name, index) => (
        <TextInput
          key={name}
          data-autofocus={index === 0 || undefined}
          label={labels[name] ?? name}
          value={values[name] ?? ''}
          maxLength={500}
          onChange={({ currentTarget: { value } }) => setValues((all) => ({ ...all, [name]: value }))}
        />
      ))}
    </FormDialog>
  )
}
