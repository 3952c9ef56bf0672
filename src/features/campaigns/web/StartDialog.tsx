import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatMoney, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign, CampaignPlan } from '../contract.ts'
import css from './campaigns.module.css'

/** What a campaign will do, before it does: who gets it, who does not and why, until when it takes, what speaks against it. */
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
      const reasons = isApiError(failure) ? (failure.details as { reasons?: unknown })['reasons'] : undefined
      setProblem(Array.isArray(reasons) ? reasons.join(' ') : sentence(failure))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Programar o envio?')}>
      <Fields>
        {!data && !error && <SkeletonRows kind="table" />}
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {data && <PlanFacts plan={data} row={row} />}
        {problem && <Notice tone="neg">{problem}</Notice>}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <BusyButton
            busy={busy}
            doing={t('Programando')}
            disabled={!data || data.reached === 0 || data.level === 'stop' || data.unknownVariables.length > 0}
            onClick={() => void start()}
          >
            {data
              ? t('Enviar a {count}', { count: plural(data.reached, t('contato'), t('contatos')) })
              : t('Programar envio')}
          </BusyButton>
        </div>
      </Fields>
    </Modal>
  )
}

function PlanFacts({ plan, row }: { plan: CampaignPlan; row: Campaign }) {
  const { reached, left, firstContacts, endsAt, cost, level, reasons, delay, unknownVariables, emptyVariables } = plan
  const pairs: readonly (readonly [string, string])[] = [
    [t('Recebem'), formatNumber(reached)],
    [t('Primeiro contato'), formatNumber(firstContacts)],
    [t('Início'), formatDateTime(row.start)],
    [t('Término previsto'), endsAt ? formatDateTime(endsAt) : '—'],
    ...(cost === null ? [] : [[t('Custo previsto'), formatMoney(cost)] as const]),
  ]
  return (
    <>
      <dl className={css.pairs}>
        {[...pairs, ...left.map(({ text, count }) => [text, formatNumber(count)] as const)].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {level === 'good' && unknownVariables.length === 0 && (
        <Notice tone="info">{t('Risco baixo de bloqueio. Quem responder abre um atendimento.')}</Notice>
      )}
      {reasons.length > 0 && (
        <Notice tone={level === 'stop' ? 'neg' : 'warn'}>
          {reasons.join(' ')}
          {delay !== null && ` ${t('Com intervalo de {delay} segundos, pode sair.', { delay })}`}
        </Notice>
      )}
      {unknownVariables.length > 0 && (
        <Notice tone="neg">
          {t('Estas variáveis não existem: {names}.', {
            names: unknownVariables.map((one) => `{{${one}}}`).join(', '),
          })}
        </Notice>
      )}
      {emptyVariables.map(({ name, count }) => (
        <Notice key={name} tone="warn">
          {t('{count} sem valor para {name}: o lugar fica vazio.', {
            count: plural(count, t('contato'), t('contatos')),
            name: `{{${name}}}`,
          })}
        </Notice>
      ))}
    </>
  )
}
