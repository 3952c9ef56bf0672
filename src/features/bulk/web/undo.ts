import { firstOf } from '#domain/present.ts'
import type { Undone } from '#kit/bulk.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { bulk } from '../addresses.ts'
import { unfollow } from './operations.ts'

/** Undoes a bulk operation, and shows the records that could not be restored. */
export async function undo(id: string): Promise<void> {
  try {
    const answer = await call(bulk.undo, { params: { id } }, { quiet: true, long: true })
    unfollow(id)
    const { restored, refused } = answer
    const title = restored > 0 ? t('Desfeito') : t('Nada foi desfeito')
    if (refused.length === 0) notify({ tone: 'pos', title })
    else notify({ tone: 'warn', title, text: whatStayed(restored, refused) })
  } catch (error) {
    notifyError(error)
  }
}

function whatStayed(restored: number, refused: Undone['refused']): string {
  const names = new Set(refused.flatMap(({ by }) => by ?? []))
  const stayed = plural(refused.length, t('ficou como está'), t('ficaram como estão'))
  const why = names.size > 0 ? t('{names} alterou depois', { names: [...names].join(', ') }) : firstOf(refused).text
  const back = restored > 0 ? `${plural(restored, t('voltou'), t('voltaram'))}; ` : ''
  return `${back}${stayed}: ${why}`
}
