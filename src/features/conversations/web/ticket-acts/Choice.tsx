import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import css from '../dialogs.module.css'
import own from './ticket-acts.module.css'

/** One of some rows, and what is done with it: over which connection it goes on, which chat flow attends it. */
export function Choice(props: {
  title: string
  hint: string
  label: string
  missing: string
  button: string
  rows: readonly { id: number; name: string }[] | undefined
  onPick: (id: number) => Promise<void>
  onClose: () => void
}) {
  const { title, hint, label, missing, button, rows, onPick, onClose } = props
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (!chosen) return setMissing(true)
    setBusy(true)
    await onPick(Number(chosen))
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} size={420} padding={20} title={title}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
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
          onChange={setChosen}
        />
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button type="submit" loading={busy}>
            {button}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
