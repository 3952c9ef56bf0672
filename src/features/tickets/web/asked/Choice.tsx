import { Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import own from './ticket-acts.module.css'

/** Dialog that chooses one row, such as a connection to continue on or a chat flow. */
export function Choice(props: {
  title: string
  hint: string
  label: string
  missing: string
  button: string
  rows: readonly { id: number; name: string }[] | undefined
  onPick: (id: number) => Promise<void>
  onChoose?: (id: number) => void
  /** Content about the chosen row. */
  children?: ReactNode
  onClose: () => void
}) {
  const { title, hint, label, missing, button, rows, onPick, onChoose, children, onClose } = props
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    if (!chosen) return setMissing(true)
    await onPick(Number(chosen))
  }
  return (
    <FormDialog title={title} action={button} onSubmit={submit} onClose={onClose}>
      <p className={own.hint}>{hint}</p>
      <Select
        data-autofocus
        openOnFocus={false}
        allowDeselect={false}
        label={label}
        searchable
        data={(rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        error={isMissing && !chosen ? missing : undefined}
        onChange={(value) => {
          setChosen(value)
          if (value) onChoose?.(Number(value))
        }}
      />
      {children}
    </FormDialog>
  )
}
