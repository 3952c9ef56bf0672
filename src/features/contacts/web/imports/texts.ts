import { t } from '#web/t.ts'
import type { Tone } from '#web/ui/identity/badges.tsx'
import type { ContactImport } from '../../imports-contract.ts'

/** Returns a short text of an import's state. */
export function stateOf({ phase, status }: ContactImport): { tone: Tone; text: string } {
  if (status === 'failed') return { tone: 'neg', text: t('Não foi lida') }
  if (status === 'canceled') return { tone: 'warn', text: t('Parada') }
  if (status === 'running') {
    const doing = { check: t('Conferindo'), run: t('Importando'), undo: t('Desfazendo') }
    return { tone: 'info', text: doing[phase] }
  }
  if (phase === 'check') return { tone: 'warn', text: t('Só conferida') }
  return phase === 'run' ? { tone: 'pos', text: t('Importada') } : { tone: 'plain', text: t('Desfeita') }
}
