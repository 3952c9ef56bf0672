import { useUrlState } from '#web/url-state.ts'
import { TaskDrawer, type TaskDrawerProps } from './TaskDrawer.tsx'

const idIn = (text: string | undefined) => Number(text) || null

/** The form of a task on its screen; a new one is about what the address names: `atendimento`, `contato`, `oportunidade`. */
export function TaskForm(props: TaskDrawerProps) {
  const [{ atendimento, contato, oportunidade }, setUrl] = useUrlState()
  const about = { ticketId: idIn(atendimento), contactId: idIn(contato), opportunityId: idIn(oportunidade) }
  const close = () => setUrl({ id: undefined, atendimento: undefined, contato: undefined, oportunidade: undefined })
  return <TaskDrawer {...props} about={about} onClose={close} />
}
