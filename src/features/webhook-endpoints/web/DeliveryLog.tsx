import { Button, Modal, Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { itemAt } from '#domain/present.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, pages, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { webhookDeliveries, webhookEndpoints } from '../addresses.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../contract.ts'
import css from './webhooks.module.css'

const STATES: Readonly<Record<WebhookDelivery['status'], { label: string; tone: Tone }>> = {
  pending: { label: t('Esperando'), tone: 'warn' },
  delivered: { label: t('Entregue'), tone: 'pos' },
  failed: { label: t('Falhou'), tone: 'neg' },
}
const HOUR_MS = 3_600_000
const PERIODS = [
  { value: String(HOUR_MS), label: t('na última hora') },
  { value: String(24 * HOUR_MS), label: t('nas últimas 24 horas') },
  { value: String(7 * 24 * HOUR_MS), label: t('nos últimos 7 dias') },
  { value: String(30 * 24 * HOUR_MS), label: t('nos últimos 30 dias') },
]

/** Dialog with an endpoint's deliveries and attempts; resends single ones, or the failed ones of a period. */
export function DeliveryLog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { id, name } = endpoint
  const [status, setStatus] = useState<string | null>(null)
  const list = useInfiniteQuery({
    ...pages(webhookDeliveries.list, {
      params: { id },
      ...(status === null ? {} : { query: { status: status as WebhookDelivery['status'] } }),
    }),
    staleTime: 0,
  })
  const { data, error, refetch } = list
  const items = data?.pages.flatMap((page) => page.deliveries)
  return (
    <Modal opened onClose={onClose} size={640} title={t('Envios a “{name}”', { name })}>
      <DeliveryBar endpoint={endpoint} status={status} onStatus={setStatus} />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {items?.length === 0 && (
        <p className={css.hint}>
          {status === null
            ? t('Ainda não houve envios. Use “Testar” para fazer o primeiro.')
            : t('Nenhum envio assim.')}
        </p>
      )}
      <ol className={css.deliveries} aria-label={t('Envios')}>
        {items?.map((one) => (
          <Delivery key={one.id} delivery={one} mayResend={endpoint.isActive} />
        ))}
      </ol>
      <MoreButton list={list} />
    </Modal>
  )
}

/** The filter by state, and the period whose failed deliveries are sent again. */
function DeliveryBar(props: {
  endpoint: WebhookEndpoint
  status: string | null
  onStatus: (next: string | null) => void
}) {
  const { endpoint, status, onStatus } = props
  const { id, isActive } = endpoint
  const [period, setPeriod] = useState(itemAt(PERIODS, 1).value)
  const resend = async () => {
    const to = Date.now() + HOUR_MS
    const body = { from: to - HOUR_MS - Number(period), to, which: 'failed' as const }
    const answer = await attempt(() => call(webhookEndpoints.resend, { params: { id }, body }, { quiet: true }))
    if (!answer) return
    const sent = plural(answer.count, t('envio vai de novo'), t('envios vão de novo'))
    notify({ tone: 'pos', title: answer.count === 0 ? t('Nada falhou nesse tempo') : sent })
  }
  return (
    <div className={css.bar}>
      <Select
        aria-label={t('Situação')}
        placeholder={t('Todas')}
        clearable
        data={Object.entries(STATES).map(([value, { label }]) => ({ value, label }))}
        value={status}
        onChange={onStatus}
      />
      <Select
        aria-label={t('Período do reenvio')}
        allowDeselect={false}
        data={PERIODS}
        value={period}
        onChange={(next) => next && setPeriod(next)}
      />
      <Button variant="default" disabled={!isActive} onClick={() => void resend()}>
        {t('Reenviar o que falhou')}
      </Button>
    </div>
  )
}

function Delivery({ delivery, mayResend }: { delivery: WebhookDelivery; mayResend: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { id, type, status, tries, problem, dueAt, createdAt } = delivery
  const { label, tone } = STATES[status]
  return (
    <li>
      <button type="button" className={css.delivery} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code>{type}</code>
        <Pill tone={tone}>{label}</Pill>
        <time>{formatDateTime(createdAt)}</time>
        <span>
          {plural(tries, t('tentativa'), t('tentativas'))}
          {problem && ` · ${problem}`}
          {dueAt && tries > 0 && ` ${t('De novo em {when}.', { when: formatDateTime(dueAt) })}`}
        </span>
      </button>
      {isOpen && <Attempts id={id} mayResend={mayResend} />}
    </li>
  )
}

function Attempts({ id, mayResend }: { id: string; mayResend: boolean }) {
  const { data, error, refetch } = useQuery({
    ...query(webhookDeliveries.get, { params: { deliveryId: id } }),
    staleTime: 0,
  })
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="card" rows={2} />
  const resend = () =>
    attempt(
      () => call(webhookDeliveries.resend, { params: { deliveryId: id } }, { quiet: true }),
      t('O envio vai de novo'),
    )
  return (
    <div className={css.detail}>
      <p>
        {t('Identificador (webhook-id):')} <code>{id}</code>
      </p>
      <pre>{JSON.stringify(JSON.parse(data.body), null, 2)}</pre>
      {data.attempts.map((one) => (
        <div key={one.at}>
          <p>
            {[
              formatDateTime(one.at),
              one.problem ?? t('Respondeu {status}.', { status: String(one.httpStatus) }),
              t('{ms} ms', { ms: one.ms }),
            ].join(' · ')}
          </p>
          {one.answer !== '' && <pre>{one.answer}</pre>}
        </div>
      ))}
      <Button variant="default" disabled={!mayResend} onClick={() => void resend()}>
        {t('Reenviar')}
      </Button>
    </div>
  )
}
