import { Checkbox } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Alert } from '#domain/funnel/alerts.ts'
import { loadStartConversation } from '#features/contacts/web/index.ts'
import { useChoices } from '#web/choices.ts'
import { formatMoney } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { CalendarIcon, TaskIcon, UnassignedIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Opportunity } from '../contract.ts'
import css from './funnel.module.css'
import { ALERT, dueText, shortDay } from './labels.ts'

const StartConversation = lazyPart(loadStartConversation)
const OwnValues = lazyPart(async () => (await import('./OwnValues.tsx')).OwnValues)

// Alerts in order of priority; a card shows its first. The owner is shown at the bottom, a missing task is no alarm.
const SHOWN: readonly Alert[] = ['due', 'stale', 'idle', 'high']

/** Actions of a card. */
export type CardActs = {
  readonly commands: (card: Opportunity, talk: () => void) => readonly Command[]
  readonly onOpen: (id: number) => void
  /** Selected ids in selection mode, else null; `onChoose` toggles one. */
  readonly chosen: ReadonlySet<number> | null
  readonly onChoose: (id: number) => void
}

/** Card of an opportunity: name, contact, value, alert, forecast and owner. */
export function FunnelCard({ card, today, acts }: { card: Opportunity; today: string; acts: CardActs }) {
  const { contact, value, closingForecast, nextTask, status } = card
  const [talking, setTalking] = useState(false)
  const alert = SHOWN.find((one) => card.alerts.includes(one))
  return (
    <>
      <CardHeader card={card} acts={acts} onTalk={() => setTalking(true)} />
      <b className={css.value}>{formatMoney(value)}</b>
      {(alert || status !== 'open') && (
        <span className={css.alerts}>
          {status === 'win' && <Pill tone="pos">{t('Ganho')}</Pill>}
          {status === 'lose' && <Pill tone="neg">{t('Perdido')}</Pill>}
          {alert && (
            <AlertPill
              alert={alert}
              {...(alert === 'due' && closingForecast ? { text: dueText(today, closingForecast) } : {})}
            />
          )}
        </span>
      )}
      <OwnFacts fields={card.fields} />
      {nextTask && (
        <span className={css.detail} title={t('Próxima tarefa')}>
          <TaskIcon size={14} />
          <span className="g-cut">{nextTask.name}</span>
          <span>{shortDay(nextTask.limitDate, today)}</span>
        </span>
      )}
      <CardFooter card={card} today={today} />
      {talking && (
        <Suspense>
          <StartConversation contact={contact} onClose={() => setTalking(false)} />
        </Suspense>
      )}
    </>
  )
}

function CardFooter({ card, today }: { card: Opportunity; today: string }) {
  const { closingForecast, responsibleId, responsibleName } = card
  return (
    <span className={`${css.detail} ${css.footer}`}>
      {closingForecast && (
        <>
          <CalendarIcon size={14} />
          <span title={t('Previsão de fechamento')}>{shortDay(closingForecast, today)}</span>
        </>
      )}
      <span className={css.owner}>
        {responsibleId === null ? (
          <>
            <UnassignedIcon size={14} /> {t('Sem responsável')}
          </>
        ) : (
          <span title={responsibleName ?? ''}>
            <Avatar id={responsibleId} name={responsibleName ?? ''} src={null} size={22} />
          </span>
        )}
      </span>
    </span>
  )
}

function CardHeader({ card, acts, onTalk }: { card: Opportunity; acts: CardActs; onTalk: () => void }) {
  const { id, name, contact } = card
  return (
    <span className={css.header}>
      {acts.chosen && (
        <Checkbox
          size="xs"
          aria-label={t('Selecionar {name}', { name })}
          checked={acts.chosen.has(id)}
          onChange={() => acts.onChoose(id)}
        />
      )}
      <span className={css.names}>
        <button type="button" className="g-cut" title={name} onClick={() => acts.onOpen(id)}>
          {name}
        </button>
        <small className="g-cut">{contact.name}</small>
      </span>
      <CommandMenu commands={() => acts.commands(card, onTalk)} label={t('Ações de {name}', { name })} size={28} />
    </span>
  )
}

/** Custom field values that cards show. */
function OwnFacts({ fields }: Pick<Opportunity, 'fields'>) {
  const shown = useChoices('opportunityFields').filter(({ id, inList }) => inList && fields[id] !== undefined)
  if (shown.length === 0) return null
  return (
    <Suspense>
      <OwnValues shown={shown} fields={fields} />
    </Suspense>
  )
}

/** Label of a card's alert, with its icon. */
export function AlertPill({ alert, text }: { alert: Alert; text?: string }) {
  const {
    name,
    tone,
    icon: Icon,
  }: { name: string; tone: Tone; icon: typeof TaskIcon } = {
    ...ALERT[alert],
    icon: ALERT[alert].icon as typeof TaskIcon,
  }
  return (
    <Pill tone={tone}>
      <Icon size={13} /> {text ?? name}
    </Pill>
  )
}
