import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatDate, inputDate } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from '#web/ui/feedback/dialogs.module.css'
import type { Moment } from '../cache/thread-data.ts'
import { dayOf } from '../parts/days.ts'
import own from '../rows/thread.module.css'

const day = 86_400_000

/** “Ir para uma data” dialog: opens the conversation at the first message of that day, scrollable in both directions. */
export function DayDialog({ onPick, onClose }: { onPick: (moment: Moment) => void; onClose: () => void }) {
  const [now] = useState(() => Date.now())
  const [date, setDate] = useState('')
  const [problem, setProblem] = useState<string>()
  const pick = (moment: Moment | null) => {
    if (!moment || moment.timestamp > now) return setProblem(t('Escolha um dia que já passou, ou hoje.'))
    onPick(moment)
    onClose()
  }
  const near = [
    [t('Hoje'), 0],
    [t('Ontem'), 1],
    [t('Há uma semana'), 7],
    [t('Há um mês'), 30],
  ] as const
  return (
    <Modal opened onClose={onClose} size={420} title={t('Ir para uma data')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          pick(dayOf(date))
        }}
      >
        <div className={own.days}>
          {near.map(([label, ago]) => (
            <Button
              key={label}
              variant="default"
              title={formatDate(now - ago * day)}
              onClick={() => pick(dayOf(inputDate(now - ago * day)))}
            >
              {label}
            </Button>
          ))}
          <Button variant="default" onClick={() => pick({ timestamp: 1, isDay: true })}>
            {t('Início da conversa')}
          </Button>
        </div>
        <TextInput
          type="date"
          data-autofocus
          label={t('Dia')}
          value={date}
          error={problem}
          onChange={(event) => {
            setDate(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <DialogEnd action={t('Ir')} busy={false} onClose={onClose} />
      </form>
    </Modal>
  )
}
