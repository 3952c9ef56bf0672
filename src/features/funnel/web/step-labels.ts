import type { StepType } from '#domain/funnel/actions.ts'
import { t } from '#web/t.ts'
import type { PipelineAction } from '../actions-contract.ts'

/** Display names of steps. */
export const STEPS: Readonly<Record<StepType, string>> = {
  message: t('Enviar mensagem'),
  stage_change: t('Mudar de etapa'),
  status_change: t('Mudar o status'),
  add_tag: t('Etiquetar o contato'),
  add_wallet: t('Incluir o contato na carteira'),
  start_flow: t('Iniciar um chatbot'),
}

/** Display names of actions. */
export const TYPES: Readonly<Record<PipelineAction['actionType'], string>> = { ...STEPS, flow: t('Sequência') }

/** Describes the timing of an action. */
export function timingText({
  daysToTrigger,
  hourFrom,
  hourTo,
}: Pick<PipelineAction, 'daysToTrigger' | 'hourFrom' | 'hourTo'>) {
  const days =
    daysToTrigger === 0
      ? t('Ao entrar na etapa')
      : daysToTrigger === 1
        ? t('1 dia depois de entrar')
        : t('{daysToTrigger} dias depois de entrar', { daysToTrigger })
  return hourFrom === null || hourTo === null
    ? days
    : `${days}, ${t('das {hourFrom}h às {hourTo}h', { hourFrom, hourTo })}`
}
