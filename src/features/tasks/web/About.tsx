import { Link } from '@tanstack/react-router'
import { t } from '#web/t.ts'
import type { Task } from '../tasks.ts'

/** What a task is about, with the way there. */
export function About({ task: { ticketId, contactId } }: { task: Pick<Task, 'ticketId' | 'contactId'> }) {
  if (ticketId !== null) return <Link to={`/atendimento/${ticketId}`}>{t('Atendimento {id}', { id: ticketId })}</Link>
  if (contactId === null) return null
  return <Link to={`/contatos?id=${contactId}`}>{t('Contato {id}', { id: contactId })}</Link>
}
