import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import { CalendarIcon, UnassignedIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Task } from '../tasks.ts'
import { About } from './About.tsx'
import css from './tasks.module.css'

const PRIORITY: Readonly<Record<Exclude<Task['priority'], 'none'>, readonly [name: string, tone: Tone]>> = {
  high: [t('Alta'), 'neg'],
  medium: [t('Média'), 'warn'],
  low: [t('Baixa'), 'info'],
}

/** Formats a day, without the year if it is the present one: “03/12”. */
function shortDay(day: string, today: string): string {
  const [year, month, date] = day.split('-')
  return year === today.slice(0, 4) ? `${date}/${month}` : `${date}/${month}/${year}`
}

/** Card of a task: name, urgency, due day, related record, owner. */
export function TaskCard(props: { task: Task; today: string; commands: () => readonly Command[]; onOpen: () => void }) {
  const { task, today, commands, onOpen } = props
  const { name, ownerId, priority, status, limitDate } = task
  const owner = useChoices('users').find(({ id }) => id === ownerId)?.name
  const urgency = priority === 'none' ? undefined : PRIORITY[priority]
  return (
    <>
      <span className={css.header}>
        <button type="button" title={name} onClick={onOpen}>
          {name}
        </button>
        <CommandMenu commands={commands} label={t('Ações de {name}', { name })} size={28} />
      </span>
      <span className={css.detail}>
        {urgency && (
          <span title={t('Prioridade')}>
            <Pill tone={urgency[1]}>{urgency[0]}</Pill>
          </span>
        )}
        <About task={task} />
      </span>
      <span className={css.detail}>
        <CalendarIcon size={14} />
        <span title={t('Data limite')} data-late={status === 'delayed' || undefined}>
          {limitDate === today ? t('Hoje') : shortDay(limitDate, today)}
        </span>
        <span className={css.owner}>
          {owner === undefined ? (
            <>
              <UnassignedIcon size={14} /> {t('Sem responsável')}
            </>
          ) : (
            <span title={owner}>
              <Avatar id={ownerId ?? 0} name={owner} src={null} size={22} />
            </span>
          )}
        </span>
      </span>
    </>
  )
}
