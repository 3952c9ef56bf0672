import type { BulkQuestion } from '#features/bulk/web/index.ts'
import { plural, t } from '#web/t.ts'
import type { BulkAction } from '../../bulk-contract.ts'

const tickets = (count: number) => plural(count, t('atendimento'), t('atendimentos'))
const texts = (button: string, doing: string, one: string, many: string): BulkQuestion => ({
  button,
  doing,
  done: (count) => plural(count, one, many),
  question: (count) => `${button} ${tickets(count)}?`,
})

const all: Readonly<Record<BulkAction, BulkQuestion>> = {
  accept: texts(t('Atender'), t('Atendendo'), t('atendimento é seu'), t('atendimentos são seus')),
  transfer: texts(t('Transferir'), t('Transferindo'), t('atendimento transferido'), t('atendimentos transferidos')),
  return: texts(t('Devolver à fila'), t('Devolvendo à fila'), t('atendimento devolvido'), t('atendimentos devolvidos')),
  close: texts(t('Resolver'), t('Resolvendo'), t('atendimento resolvido'), t('atendimentos resolvidos')),
  reopen: texts(t('Reabrir'), t('Reabrindo'), t('atendimento reaberto'), t('atendimentos reabertos')),
  read: texts(t('Marcar como lidos'), t('Marcando como lidos'), t('marcado como lido'), t('marcados como lidos')),
  unread: texts(
    t('Marcar como não lidos'),
    t('Marcando como não lidos'),
    t('marcado como não lido'),
    t('marcados como não lidos'),
  ),
  tag: texts(t('Etiquetar'), t('Etiquetando'), t('atendimento etiquetado'), t('atendimentos etiquetados')),
  untag: texts(
    t('Tirar etiquetas'),
    t('Tirando etiquetas'),
    t('atendimento sem as etiquetas'),
    t('atendimentos sem as etiquetas'),
  ),
  snooze: texts(t('Adiar'), t('Adiando'), t('atendimento adiado'), t('atendimentos adiados')),
  macro: {
    ...texts(t('Usar macro'), t('Usando a macro'), t('atendimento com a macro'), t('atendimentos com a macro')),
    question: (count) => t('Usar a macro em {tickets}?', { tickets: tickets(count) }),
  },
  kanban: texts(
    t('Mudar a etapa'),
    t('Mudando a etapa'),
    t('atendimento em outra etapa'),
    t('atendimentos em outra etapa'),
  ),
  channel: texts(
    t('Mudar de canal'),
    t('Mudando de canal'),
    t('atendimento em outro canal'),
    t('atendimentos em outro canal'),
  ),
}

/** Returns the texts of a bulk action: question, progress and result. */
export const textsOf = (action: string): BulkQuestion => all[action as BulkAction]
