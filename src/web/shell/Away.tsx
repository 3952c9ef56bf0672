import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '../api.ts'
import { formatTime } from '../format.ts'
import { t } from '../t.ts'
import { DialogEnd } from '../ui/feedback/DialogEnd.tsx'
import dialogs from '../ui/feedback/dialogs.module.css'
import { TimeChoices } from '../ui/inputs/TimeChoices.tsx'
import css from './away.module.css'

const minuteMs = 60_000
const breaks = [
  { minutes: 15, label: t('15 minutos') },
  { minutes: 30, label: t('30 minutos') },
  { minutes: 60, label: t('1 hora') },
  { minutes: 120, label: t('2 horas') },
]

/** Returns the next moment at which this device's clock shows a time (HH:MM); null for an invalid one. */
function nextAt(text: string, now: Date): Date | null {
  const [hours, minutes] = text.split(':').map(Number)
  if (text === '' || hours === undefined || minutes === undefined) return null
  const at = new Date(now)
  at.setHours(hours, minutes, 0, 0)
  if (at <= now) at.setDate(at.getDate() + 1)
  return at
}

const breaksFrom = (now: Date) =>
  breaks.map(({ minutes, label }) => {
    const at = new Date(now.getTime() + minutes * minuteMs)
    return { label, at, shown: t('até {at}', { at: formatTime(at) }) }
  })

/** Dialog “Ausente”: chooses until when nothing is distributed to the user. */
export function Away({ onPick, onClose }: { onPick: (until: Date) => Promise<void>; onClose: () => void }) {
  const [now] = useState(() => new Date())
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const pick = async (until: Date) => {
    setBusy(true)
    try {
      await onPick(until)
      onClose()
    } catch (refused) {
      setProblem(sentence(refused))
      setBusy(false)
    }
  }
  const submit = () => {
    const at = nextAt(text, new Date())
    if (at) void pick(at)
    else setProblem(t('Informe a hora em que volta.'))
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Ausente')}>
      <form
        className={dialogs.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={css.hint}>
          {t(
            'Até voltar, nenhum atendimento é distribuído a você. Se a empresa devolve o que espera por ausentes, o que for seu pode voltar à fila.',
          )}
        </p>
        <TimeChoices times={breaksFrom(now)} disabled={busy} onPick={(at) => void pick(at)} />
        <TextInput
          type="time"
          label={t('Outra hora')}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <DialogEnd action={t('Ficar ausente')} doing={t('Salvando')} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  )
}
