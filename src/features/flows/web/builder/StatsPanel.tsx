import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Ref, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { FlowDocument } from '#domain/flow/document.ts'
import { stepsInOrder } from '#domain/flow/edit.ts'
import { type Parts, partsOf } from '#domain/flow/parts.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import { lostIn, type StepStats, shareText, stayText, type WayStats, wayTexts } from './figures.ts'
import { conditionText, endOf } from './labels.tsx'
import { useNames } from './names.ts'
import { SidePanel } from './SidePanel.tsx'
import { StepFigures } from './step-figures.tsx'
import type { StatsState } from './use-stats.ts'
import { Visits } from './Visits.tsx'

const none: FlowDocument = { nodeList: [], lineList: [] }
const periods = [
  { value: '1', label: t('1 dia') },
  { value: '7', label: t('7 dias') },
  { value: '30', label: t('30 dias') },
  { value: '90', label: t('90 dias') },
  { value: '365', label: t('1 ano') },
]

/** Visits shown in detail, with their title. */
type Opened = { readonly nodeId: string; readonly way: WayStats | null; readonly title: string }

/** Panel of a version's statistics: visits per step, the ways of leaving it, and the conversations behind each number. */
export function StatsPanel(props: {
  id: number
  stats: StatsState
  panel: Ref<HTMLElement>
  onShow: (nodeId: string) => void
  onClose: () => void
}) {
  const { id, stats, panel, onShow, onClose } = props
  const { data, error, refetch, version, document, looked: open } = stats
  const versions = useQuery(query(flows.versions, { params: { id } })).data?.versions ?? []
  const opened = useRef<HTMLLIElement>(null)
  // The step may have been selected on the canvas.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step that is opened is brought into sight
  useEffect(() => void opened.current?.scrollIntoView({ block: 'nearest' }), [open])
  const [visits, setVisits] = useState<Opened | null>(null)
  const steps = useMemo(() => stepsInOrder(document ?? none).map(partsOf), [document])
  return (
    <SidePanel kind={t('Fluxo')} title={t('Números')} panel={panel} onClose={onClose}>
      <StatsChoice versions={versions} stats={stats} />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {data && (
        <p role="status">
          {data.version === null
            ? t('Nada foi publicado ainda: os números começam com a primeira conversa.')
            : data.isCapped
              ? t('As {count} conversas mais novas deste período.', { count: formatNumber(data.conversations) })
              : t('{count} neste período.', { count: plural(data.conversations, t('conversa'), t('conversas')) })}
        </p>
      )}
      {data && document && (
        <StatsSteps stats={stats} steps={steps} opened={opened} onShow={onShow} setVisits={setVisits} />
      )}
      {visits && <Visits {...visits} id={id} period={stats.period} version={version} onClose={() => setVisits(null)} />}
    </SidePanel>
  )
}

function StatsSteps(props: {
  stats: StatsState
  steps: Parts[]
  opened: RefObject<HTMLLIElement | null>
  onShow: (nodeId: string) => void
  setVisits: (next: Opened | null) => void
}) {
  const { stats, steps, opened, onShow, setVisits } = props
  const { figures, looked: open, look } = stats
  return (
    <ol className={css.items} aria-label={t('Etapas')}>
      {steps.map((parts) => (
        <li
          key={parts.id}
          ref={open === parts.id ? opened : null}
          className={css.item}
          data-open={open === parts.id || undefined}
        >
          <div className={css.itemHeader}>
            <button
              type="button"
              aria-expanded={open === parts.id}
              onClick={() => {
                look(open === parts.id ? null : parts.id)
                onShow(parts.id)
              }}
            >
              <b>{parts.name}</b>
              <StepFigures id={parts.id} />
            </button>
          </div>
          {open === parts.id && (
            <StepWays parts={parts} step={figures?.get(parts.id)} steps={steps} onOpen={setVisits} />
          )}
        </li>
      ))}
    </ol>
  )
}

type Versions = Answer<typeof flows.versions>['versions']

function StatsChoice({ versions, stats: { version, days, choose } }: { versions: Versions; stats: StatsState }) {
  return (
    <div className={css.two}>
      <Select
        label={t('Versão')}
        allowDeselect={false}
        placeholder={t('Nenhuma')}
        disabled={versions.length === 0}
        data={versions.map((one) => ({
          value: String(one.version),
          label: t('Versão {version}', { version: one.version }),
        }))}
        value={version === null ? null : String(version)}
        onChange={(value) => value && choose({ version: Number(value) })}
      />
      <Select
        label={t('Período')}
        allowDeselect={false}
        data={periods}
        value={String(days)}
        onChange={(value) => choose({ days: Number(value) })}
      />
    </div>
  )
}

function StepWays(props: {
  parts: Parts
  step: StepStats | undefined
  steps: readonly Parts[]
  onOpen: (visits: Opened) => void
}) {
  const { parts, step, steps, onOpen } = props
  const names = useNames()
  if (!step) return <p className={css.ways}>{t('Nenhuma conversa chegou aqui.')}</p>
  const { nodeId, visits, medianMs, ways } = step
  const leadsTo = (index: number) => {
    const action = parts.conditions[index]?.action
    if (!action) return ''
    return action.to === 'node'
      ? (steps.find((one) => one.id === action.nodeId)?.name ?? '')
      : endOf(action, names).title
  }
  const textOf = ({ way, index }: WayStats): string => {
    if (way !== 'branch') return wayTexts[way]
    const condition = parts.conditions[index ?? -1]
    return condition ? `${conditionText(condition, names)} → ${leadsTo(index ?? -1)}` : t('Outra condição')
  }
  const row = (way: WayStats | null, text: string, count: number) => {
    const figure = `${formatNumber(count)} · ${shareText(count, visits)}`
    return (
      <li key={text}>
        <span>{text}</span>
        <button
          type="button"
          aria-label={t('{figure}: {text}, ver as conversas', { figure, text })}
          onClick={() => onOpen({ nodeId, way, title: `${parts.name}: ${text}` })}
        >
          {figure}
        </button>
      </li>
    )
  }
  return (
    <div className={css.itemBody}>
      <ul className={css.counts}>
        {row(null, t('Chegaram aqui'), visits)}
        {ways.map((way) => row(way, textOf(way), way.count))}
      </ul>
      <p className={css.summary}>
        {medianMs !== null && t('Metade ficou até {time} nesta etapa.', { time: stayText(medianMs) })}{' '}
        {lostIn(step) > 0 && t('{count} não seguiram com o fluxo.', { count: formatNumber(lostIn(step)) })}
      </p>
    </div>
  )
}
