import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '../../api.ts'
import { t } from '../../t.ts'
import { DialogEnd } from './DialogEnd.tsx'
import dialogs from './dialogs.module.css'
import css from './move-dialog.module.css'

/** Dialog that asks for a target; stays open with its error while `onPick` is refused. */
export function MoveDialog(props: {
  title: string
  hint?: string
  /** Texts of the select: before a choice, without a match, and when a choice is missing. */
  placeholder: string
  nothingFound: string
  missing: string
  options: readonly { value: string; label: string }[]
  action: string
  /** The move cannot be undone. */
  isFinal?: boolean
  onPick: (value: string) => Promise<void>
  onClose: () => void
}) {
  const { title, hint, placeholder, nothingFound, missing, options, action, isFinal = false, onPick, onClose } = props
  const [to, setTo] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const pick = async () => {
    if (!to) return setError(missing)
    setBusy(true)
    try {
      await onPick(to)
      onClose()
    } catch (refused) {
      setError(sentence(refused))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={title}>
      <div className={dialogs.form}>
        {hint && <p className={css.hint}>{hint}</p>}
        <Select
          label={t('Mover para')}
          placeholder={placeholder}
          required
          searchable
          data-autofocus
          openOnFocus={false}
          nothingFoundMessage={nothingFound}
          data={[...options]}
          value={to}
          error={error}
          onChange={(next) => {
            setTo(next)
            setError(undefined)
          }}
        />
        <DialogEnd
          action={action}
          doing={t('Movendo')}
          isDanger={isFinal}
          busy={busy}
          onClose={onClose}
          onRun={() => void pick()}
        />
      </div>
    </Modal>
  )
}
