import { useUrlState } from '#web/url-state.ts'
import { TaskDrawer, type TaskDrawerProps } from './TaskDrawer.tsx'

const idIn = (text: string | undefined) => Number(text) || null

/** Drawer of a task on its page; a new one gets the related records of the URL: `atendimento`, `contato`, `oportunidade`. */
export function TaskForm(props: TaskDrawerProps) {
  const [{ atendimento, contato, oportunidade }, setUrl] = useUrlState()
  const about = { ticketId: idIn(atendimento), contactId: idIn(contato), opportunityId: idIn(oportunidade) }
  const close = () => setUrl({ id: undefined, atendimento: undefined, contato: undefined, oportunidade: undefined })
  return <TaskDrawer {...props} about={about} onClose={close} />
}
