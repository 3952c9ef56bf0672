import { plural, t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { CalendarAccount } from '../contract.ts'

/** Renders the state of an account as a pill. */
export function statePill(status: CalendarAccount['status']) {
  if (status === 'ok') return <Pill tone="pos">{t('Conectada')}</Pill>
  if (status === 'failed') return <Pill tone="neg">{t('Com problema')}</Pill>
  if (status === 'revoked') return <Pill tone="neg">{t('Acesso retirado')}</Pill>
  return <Pill tone="warn">{t('Falta entrar')}</Pill>
}

/** Formats the number of changes that wait for Google. */
export const waitingText = (waiting: number): string =>
  t('{waiting} esperando o Google. Nada se perde: vai assim que der.', {
    waiting: plural(waiting, t('alteração'), t('alterações')),
  })
