import { useEffect } from 'react'
import { setAttention } from '#web/attention.ts'
import { t } from '#web/t.ts'
import { useCounts } from './lists.ts'

/** Counts the customers who wait for an answer in the menu and behind the bell. */
export function useAttentionOfLists(): void {
  const counts = useCounts()
  useEffect(() => {
    if (!counts) return
    const path = '/atendimento'
    setAttention({
      key: 'tickets waiting',
      path,
      label: t('Clientes esperando resposta'),
      count: counts.waiting,
      inBell: true,
    })
  }, [counts])
}
