import type { BulkQuestion } from '#features/bulk/web/index.ts'
import { plural, t } from '#web/t.ts'
import type { ContactAction } from '../bulk-contract.ts'

const texts = (button: string, doing: string, one: string, many: string): BulkQuestion => ({
  button,
  doing,
  done: (count) => plural(count, one, many),
  question: (count) => `${button}: ${plural(count, t('contato'), t('contatos'))}?`,
})

const all: Readonly<Record<ContactAction, BulkQuestion>> = {
  tag: texts(t('Etiquetar'), t('Etiquetando'), t('contato etiquetado'), t('contatos etiquetados')),
  untag: texts(
    t('Tirar etiquetas'),
    t('Tirando etiquetas'),
    t('contato sem as etiquetas'),
    t('contatos sem as etiquetas'),
  ),
  wallet: texts(
    t('Incluir na carteira'),
    t('Incluindo na carteira'),
    t('contato na carteira'),
    t('contatos na carteira'),
  ),
  unwallet: texts(
    t('Tirar da carteira'),
    t('Tirando da carteira'),
    t('contato fora da carteira'),
    t('contatos fora da carteira'),
  ),
  kanban: texts(t('Mudar a etapa'), t('Mudando a etapa'), t('contato em outra etapa'), t('contatos em outra etapa')),
  block: texts(t('Bloquear'), t('Bloqueando'), t('contato bloqueado'), t('contatos bloqueados')),
  unblock: texts(t('Desbloquear'), t('Desbloqueando'), t('contato desbloqueado'), t('contatos desbloqueados')),
  blockBot: texts(
    t('Bloquear chatbot'),
    t('Bloqueando o chatbot'),
    t('contato sem chatbot'),
    t('contatos sem chatbot'),
  ),
  unblockBot: texts(
    t('Liberar chatbot'),
    t('Liberando o chatbot'),
    t('contato com chatbot'),
    t('contatos com chatbot'),
  ),
}

/** Returns the texts of a bulk action: question, progress and result. */
export const textsOf = (action: string): BulkQuestion => all[action as ContactAction]
