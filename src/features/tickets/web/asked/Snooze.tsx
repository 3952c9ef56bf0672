import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isSnoozeTime } from '#domain/tickets/snooze-time.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from '#web/ui/feedback/dialogs.module.css'
import { TimeChoices } from '#web/ui/inputs/TimeChoices.tsx'
import { snoozeTimes } from './snooze-times.ts'
import own from './ticket-acts.module.css'

/** “Adiar” dialog: chooses the end of the snooze. */
export function Snooze(props: { title: string; onPick: (until: string) => Promise<void>; onClose: () => void }) {
  const { title, onPick, onClose } = props
  const [now] = useState(() => new Date())
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const pick = async (at: Date) => {
    setBusy(true)
    await onPick(at.toISOString())
    setBusy(false)
  }
  const submit = () => {
    const at = new Date(text)
    if (!isSnoozeTime(at.getTime(), Date.now())) return setProblem(t('Escolha um momento até um ano à frente.'))
    void pick(at)
  }
  return (
    <Modal opened onClose={onClose} size={420} title={title}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={own.hint}>{t('Volta à lista nessa hora, ou antes se o cliente escrever.')}</p>
        <TimeChoices
          times={snoozeTimes(now).map(({ label, at }) => ({ label, at, shown: formatDateTime(at) }))}
          disabled={busy}
          onPick={(at) => void pick(at)}
        />
        <TextInput
          type="datetime-local"
          label={t('Outro momento')}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <DialogEnd action={t('Adiar')} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  )
}
