import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { formatDateTime, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import bubble from './bubble.module.css'
import type { Row } from './conversation.ts'
import { nameIn } from './labels.tsx'
import { type Names, useNames } from './names.ts'
import css from './simulator.module.css'

/** Row of a simulated conversation: a message, an effect, or a decision. */
export function SimulatedRow({ row, onOpen }: { row: Row; onOpen: (nodeId: string) => void }) {
  const names = useNames()
  if (row.kind === 'written' || row.kind === 'message')
    return (
      <p className={bubble.bubble} data-own={row.kind === 'message' || undefined}>
        <span>
          <RichText text={(row.kind === 'written' ? row.text : row.body) || t('(um arquivo)')} />
        </span>
        <time>{formatTime(row.at)}</time>
      </p>
    )
  if (row.kind === 'passed') return <p className={css.event}>{formatDateTime(row.at)}</p>
  if (row.kind === 'effect') {
    const text = effectText(row, names)
    return text ? <p className={css.event}>{text}</p> : null
  }
  const { nodeId, why } = row
  if (nodeId === null) return <p className={css.event}>{why}</p>
  return (
    <p className={css.event}>
      <button type="button" onClick={() => onOpen(nodeId)}>
        {why}
      </button>
    </p>
  )
}

/** Describes an effect of the flow other than a message; empty if self-evident. */
function effectText({ type, id, to, userId, text }: Extract<Row, { kind: 'effect' }>, names: Names): string {
  switch (type) {
    case 'note':
      return t('Escreve a nota: {text}', { text })
    case 'schedule':
      return t('Agenda a mensagem: {text}', { text })
    case 'textMessage':
      return t('Envia o SMS: {text}', { text })
    case 'opportunity':
      return t('Cria a oportunidade: {text}', { text })
    case 'calendarEvent':
      return t('Cria o evento: {text}', { text })
    case 'tag':
      return t('Põe a etiqueta {name}', { name: nameIn(names.tags, id) })
    case 'stage':
      return t('Move para {name} no Kanban', { name: nameIn(names.stages, id) })
    case 'reason':
      return t('Escolhe o motivo {name}', { name: nameIn(names.reasons, id) })
    case 'flow':
      return t('Inicia {name}', { name: nameIn(names.flows, id) })
    case 'call':
    case 'assistant':
    case 'phoneCall':
    case 'block':
      return text
    case 'direct': {
      if (to === 'close') return t('Encerra o atendimento')
      const person = userId === null ? '' : nameIn(names.users, userId)
      if (to === 'user') return t('Vai para {name}', { name: person || t('(falta escolher)') })
      if (to === 'channel') return t('Continua no canal {name}', { name: nameIn(names.connections, id) })
      const where =
        id === null ? t('Vai para a fila do canal') : t('Vai para a fila {name}', { name: nameIn(names.queues, id) })
      return person ? t('{where}, com {person}', { where, person }) : where
    }
    default:
      return ''
  }
}
