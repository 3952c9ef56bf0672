import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { type CardStatus, STATUS_NAMES } from '#domain/funnel/card.ts'
import { attempt } from '#web/attempt.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { call, pages, queryClient } from '#web/client.ts'
import { formatMoney } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { on } from '#web/realtime/realtime.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { AddIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { funnelEvents, opportunities } from '../addresses.ts'
import type { Opportunity } from '../contract.ts'
import css from './funnel.module.css'
import { AlertPill } from './funnel-card.tsx'

const OpportunityForm = lazyPart(async () => (await import('./OpportunityForm.tsx')).OpportunityForm)

const states = [
  { value: '', label: t('Todos') },
  ...Object.entries(STATUS_NAMES).map(([value, label]) => ({ value, label })),
]
const PAGE = 5

/** Id of the open opportunity, or 'new'. */
type Opened = number | 'new' | null

/** Opportunities of a contact: filter, move, open, add. */
export function ContactPanel({ contact }: { contact: { id: number; name: string } }) {
  const may = useMay()
  const mayWrite = may('funnel:write')
  const [status, setStatus] = useState<CardStatus | ''>('open')
  const [min, setMin] = useState('')
  const [max, setMax] = useState('')
  const [opened, setOpened] = useState<Opened>(null)
  const pipelines = useChoices('pipelines')
  const query = {
    limit: PAGE,
    ...(status && { status }),
    ...(min && { valorMin: min }),
    ...(max && { valorMax: max }),
  }
  const list = useInfiniteQuery(pages(opportunities.ofContact, { params: { contactId: contact.id }, query }))
  useEffect(() => on(funnelEvents.moved, () => void queryClient.invalidateQueries({ queryKey: ['opportunities'] })), [])
  const cards = list.data?.pages.flatMap((page) => page.data) ?? []
  if (pipelines.length === 0) return null
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('Funil')}</h2>
        {mayWrite && (
          <IconButton aria-label={t('Nova oportunidade')} onClick={() => setOpened('new')}>
            <AddIcon size={17} />
          </IconButton>
        )}
      </header>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('Status')}
        data={states}
        value={status}
        onChange={(next) => setStatus(next as CardStatus | '')}
      />
      {(list.data?.pages[0]?.total ?? 0) > PAGE || min || max ? (
        <div className={css.tools}>
          <Bound label={t('Valor mínimo')} onChange={setMin} />
          <Bound label={t('Valor máximo')} onChange={setMax} />
        </div>
      ) : null}
      {list.data && cards.length === 0 && <NoCards mayWrite={mayWrite} setOpened={setOpened} />}
      {cards.map((card) => (
        <PanelCard
          key={card.id}
          card={card}
          pipeline={pipelines.find(({ id }) => id === card.pipelineId)}
          mayWrite={mayWrite}
          onOpen={() => setOpened(card.id)}
        />
      ))}
      <MoreButton list={list} />
      <OpenCard opened={opened} contact={contact} setOpened={setOpened} />
    </section>
  )
}

function OpenCard({
  opened,
  contact,
  setOpened,
}: {
  opened: Opened
  contact: { id: number; name: string }
  setOpened: (next: Opened) => void
}) {
  return (
    <Suspense>
      {opened !== null && (
        <OpportunityForm
          id={opened === 'new' ? null : opened}
          beginning={{ contact }}
          onClose={() => setOpened(null)}
        />
      )}
    </Suspense>
  )
}

function NoCards({ mayWrite, setOpened }: { mayWrite: boolean; setOpened: (next: Opened) => void }) {
  return (
    <p className={css.note}>
      {t('Nenhuma oportunidade aqui.')}{' '}
      {mayWrite && (
        <Button variant="subtle" size="compact-sm" onClick={() => setOpened('new')}>
          {t('Criar uma')}
        </Button>
      )}
    </p>
  )
}

function Bound({ label, onChange }: { label: string; onChange: (value: string) => void }) {
  return (
    <NumberInput
      size="xs"
      flex={1}
      aria-label={label}
      placeholder={label}
      prefix="R$ "
      hideControls
      thousandSeparator="."
      decimalSeparator=","
      decimalScale={2}
      min={0}
      onChange={(next) => onChange(String(next))}
    />
  )
}

function PanelCard(props: {
  card: Opportunity
  pipeline: Choices['pipelines'] | undefined
  mayWrite: boolean
  onOpen: () => void
}) {
  const { card, pipeline, mayWrite, onOpen } = props
  const { id, name, value, stageId, status, alerts } = card
  const stages = pipeline?.stages ?? []
  const reached = stages.findIndex((one) => one.id === stageId)
  const move = (to: number) =>
    attempt(async () => {
      await call(opportunities.move, { params: { id }, body: { stageId: to } }, { quiet: true })
      await queryClient.invalidateQueries({ queryKey: ['opportunities'] })
    })
  return (
    <article className={css.card}>
      <span className={css.names}>
        <button type="button" className="g-cut" title={name} onClick={onOpen}>
          {name}
        </button>
        <small className="g-cut">{pipeline?.name}</small>
      </span>
      <b className={css.value}>{formatMoney(value)}</b>
      <span className={css.steps} aria-hidden>
        {stages.map((one, index) => (
          <i
            key={one.id}
            data-step={status === 'win' || index < reached ? 'done' : index === reached ? 'now' : 'next'}
          />
        ))}
      </span>
      {status === 'open' ? (
        <Select
          size="xs"
          aria-label={t('Etapa de {name}', { name })}
          allowDeselect={false}
          disabled={!mayWrite}
          data={stages.map((one) => ({ value: String(one.id), label: one.name }))}
          value={String(stageId)}
          onChange={(next) => next && void move(Number(next))}
        />
      ) : (
        <span>
          <Pill tone={status === 'win' ? 'pos' : 'neg'}>{STATUS_NAMES[status]}</Pill>
        </span>
      )}
      {alerts.length > 0 && (
        <span className={css.alerts}>
          {alerts
            .filter((alert) => alert !== 'taskless')
            .slice(0, 2)
            .map((alert) => (
              <AlertPill key={alert} alert={alert} />
            ))}
        </span>
      )}
    </article>
  )
}
