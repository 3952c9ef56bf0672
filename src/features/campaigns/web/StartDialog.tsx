import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import { PlanFacts } from './PlanFacts.tsx'

/** Dialog with the forecast of a campaign before its start: recipients, skipped ones with reasons, end, objections. */
export function StartDialog({ row, onClose }: { row: Campaign; onClose: () => void }) {
  const { id } = row
  const { data, error, refetch } = useQuery({ ...query(campaigns.plan, { params: { id } }), staleTime: 0, gcTime: 0 })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const start = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await call(campaigns.start, { params: { id } }, { quiet: true })
      notify({ tone: 'pos', title: t('Envio programado') })
      onClose()
    } catch (failure) {
      const reasons = isApiError(failure) ? failure.details['reasons'] : undefined
      setProblem(Array.isArray(reasons) ? reasons.join(' ') : sentence(failure))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Programar o envio?')}>
      <Fields>
        {!data && !error && <SkeletonRows kind="table" />}
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {data && <PlanFacts plan={data} start={row.start} />}
        {problem && <Notice tone="neg">{problem}</Notice>}
        <DialogEnd
          action={
            data
              ? t('Enviar a {count}', { count: plural(data.reached, t('contato'), t('contatos')) })
              : t('Programar envio')
          }
          doing={t('Programando')}
          isReady={!!data && data.reached > 0 && data.level !== 'stop' && data.unknownVariables.length === 0}
          busy={busy}
          onClose={onClose}
          onRun={() => void start()}
        />
      </Fields>
    </Modal>
  )
}
