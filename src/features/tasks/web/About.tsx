import { Link } from '@tanstack/react-router'
import { t } from '#web/t.ts'
import type { Task } from '../tasks.ts'
import css from './tasks.module.css'

/** Link to the record that a task is about; the contact if there is no other. */
export function About({ task }: { task: Pick<Task, 'ticketId' | 'contactId' | 'opportunityId'> }) {
  const { ticketId, contactId, opportunityId } = task
  const isNear = ticketId !== null || opportunityId !== null
  if (!isNear && contactId === null) return null
  return (
    <span className={css.about}>
      {ticketId !== null && <Link to={`/atendimento/${ticketId}`}>{t('Atendimento {id}', { id: ticketId })}</Link>}
      {opportunityId !== null && (
        <Link to={`/funil/kanban?id=${opportunityId}`}>{t('Oportunidade {id}', { id: opportunityId })}</Link>
      )}
      {!isNear && <Link to={`/contatos?id=${contactId}`}>{t('Contato {id}', { id: contactId ?? 0 })}</Link>}
    </span>
  )
}
