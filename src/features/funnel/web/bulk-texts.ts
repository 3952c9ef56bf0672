import type { BulkQuestion } from '#features/bulk/web/index.ts'
import { plural, t } from '#web/t.ts'
import type { CardAction } from '../contract.ts'

const texts = (button: string, doing: string, one: string, many: string): BulkQuestion => ({
  button,
  doing,
  done: (count) => plural(count, one, many),
  question: (count) => `${button}: ${plural(count, t('oportunidade'), t('oportunidades'))}?`,
})

const all: Readonly<Record<CardAction, BulkQuestion>> = {
  move: texts(t('Mover'), t('Movendo'), t('oportunidade em outra etapa'), t('oportunidades em outra etapa')),
  win: texts(t('Ganhar'), t('Marcando como ganhas'), t('oportunidade ganha'), t('oportunidades ganhas')),
  lose: texts(t('Perder'), t('Marcando como perdidas'), t('oportunidade perdida'), t('oportunidades perdidas')),
  open: texts(t('Reabrir'), t('Reabrindo'), t('oportunidade reaberta'), t('oportunidades reabertas')),
  owner: texts(
    t('Mudar o responsável'),
    t('Mudando o responsável'),
    t('oportunidade com outro responsável'),
    t('oportunidades com outro responsável'),
  ),
}

/** Returns the texts of a bulk action: question, progress and result. */
export const textsOf = (action: string): BulkQuestion => all[action as CardAction]
