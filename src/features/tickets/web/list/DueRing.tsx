import type { TicketDelta } from '#features/ledger/ticket-rows.ts'
import { formatDateTime, formatListTime, formatSpan, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Ring } from '#web/ui/identity/window-ring.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { clockNames } from '../choices/names.ts'

const tones = { running: 'pos', warned: 'warn', missed: 'neg' } as const

/** SLA due time of a ticket, with a ring of the remaining time; once missed, the time since then. */
export function DueRing({ sla, pill = false }: { sla: NonNullable<TicketDelta['sla']>; pill?: boolean }) {
  const now = useNow()
  const { state, clock, since, dueAt } = sla
  const isOver = state === 'missed'
  const isToday = formatListTime(dueAt, now) === formatTime(dueAt)
  const at = isToday ? formatTime(dueAt) : formatDateTime(dueAt).replace(/\/\d{4}/, '')
  const what = clockNames[clock]
  const title = isOver
    ? t('Prazo de {what} estourado em {at}', { what, at: formatDateTime(dueAt) })
    : t('Prazo de {what}: até {at}', { what, at: formatDateTime(dueAt) })
  return (
    <Ring
      share={isOver ? 1 : Math.min(1, Math.max(0, (dueAt - now) / (dueAt - since)))}
      tone={tones[state]}
      label={isOver ? t('Prazo estourado há') : t('Prazo:')}
      text={isOver ? formatSpan(now - dueAt) : at}
      title={title}
      pill={pill}
    />
  )
}
