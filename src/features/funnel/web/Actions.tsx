import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call, pages } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, DeleteIcon, EditIcon, PauseIcon, PlayIcon, TrailIcon } from '#web/ui/icons.ts'
import { ActiveState } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { pipelineActions } from '../action-addresses.ts'
import type { PipelineAction } from '../actions-contract.ts'
import { TYPES, timingText } from './step-labels.ts'

const ActionForm = lazyPart(async () => (await import('./ActionForm.tsx')).ActionForm)
const ActionLogs = lazyPart(async () => (await import('./ActionLogs.tsx')).ActionLogs)
const Simulation = lazyPart(async () => (await import('./Simulation.tsx')).Simulation)

type Opened =
  | { readonly what: 'form' | 'simulate'; readonly action: PipelineAction | null }
  | { readonly what: 'logs'; readonly action: PipelineAction | null }

const types = Object.entries(TYPES).map(([id, name]) => ({ id, name }))
const states = [
  { id: 'true', name: t('Ativas') },
  { id: 'false', name: t('Inativas') },
]
const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)

/** Screen of automatic actions on opportunities that enter a stage. */
export function Actions() {
  const [url, setUrl] = useUrlState()
  const pipelines = useChoices('pipelines')
  const [opened, setOpened] = useState<Opened | null>(null)
  const pipeline = pipelines.find(({ id }) => String(id) === url['funil'])
  const query = {
    ...(url['busca'] && { searchTerm: url['busca'] }),
    ...(pipeline && { pipelineId: pipeline.id }),
    ...(url['etapa'] && { stageId: Number(url['etapa']) }),
    ...(url['tipo'] && { actionType: url['tipo'] as PipelineAction['actionType'] }),
    ...(url['ativo'] && { active: url['ativo'] }),
  }
  const list = useInfiniteQuery(pages(pipelineActions.list, { query }))
  const { data, error, refetch } = list
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const stages = (pipeline ? [pipeline] : pipelines).flatMap((one) => one.stages)
  const names = pipelines.map(({ id, name }) => ({ id: String(id), name }))
  const one = (name: string) => (ids: readonly string[]) => setUrl({ [name]: ids.at(-1) })
  const toggle = ({ id, active }: PipelineAction) =>
    attempt(
      () => call(pipelineActions.toggle, { params: { id } }, { quiet: true }),
      active ? t('Automação desligada') : t('Automação ligada: vale para quem entrar daqui em diante'),
    )
  const remove = async ({ id, name }: PipelineAction) => {
    const sure = await confirm({
      title: t('Excluir a automação {name}?', { name }),
      text: t('Os registros do que ela fez vão junto.'),
      action: t('Excluir'),
    })
    if (sure)
      await attempt(() => call(pipelineActions.remove, { params: { id } }, { quiet: true }), t('Automação excluída'))
  }
  const nameOf = (id: number) => pipelines.find((row) => row.id === id)?.name ?? ''
  const stageOf = (id: number) => pipelines.flatMap((row) => row.stages).find((row) => row.id === id)?.name ?? ''
  const isNarrowed = Object.keys(query).length > 0
  return (
    <Page>
      <PageHeader
        title={t('Automações do funil')}
        facts={t('O que acontece sozinho quando uma oportunidade entra numa etapa, uma vez por entrada.')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<TrailIcon size={17} />}
              onClick={() => setOpened({ what: 'logs', action: null })}
            >
              {t('Ver Logs')}
            </Button>
            <Button
              leftSection={<AddIcon size={17} />}
              disabled={pipelines.length === 0}
              onClick={() => setOpened({ what: 'form', action: null })}
            >
              {t('Nova automação')}
            </Button>
          </>
        }
      />
      <FilterRow
        filters={
          <>
            <ChoiceFilter label={t('Funil')} options={names} chosen={listOf(url['funil'])} onChange={one('funil')} />
            <ChoiceFilter
              label={t('Etapa')}
              options={stages.map(({ id, name }) => ({ id: String(id), name }))}
              chosen={listOf(url['etapa'])}
              onChange={one('etapa')}
            />
            <ChoiceFilter
              label={t('Tipo de Ação')}
              options={types}
              chosen={listOf(url['tipo'])}
              onChange={one('tipo')}
            />
            <ChoiceFilter label={t('Ativo')} options={states} chosen={listOf(url['ativo'])} onChange={one('ativo')} />
          </>
        }
      >
        <SearchField
          value={url['busca'] ?? ''}
          onChange={(busca) => setUrl({ busca })}
          placeholder={t('Buscar pelo nome')}
        />
      </FilterRow>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" rows={4} />}
      {data && rows.length === 0 && (
        <EmptyState
          title={isNarrowed ? t('Nenhuma automação com este filtro') : t('Ainda não há automações')}
          text={t('Por exemplo: dois dias depois de enviar a proposta, perguntar se ficou alguma dúvida.')}
          {...(!isNarrowed &&
            pipelines.length > 0 && {
              step: { label: t('Criar uma automação'), run: () => setOpened({ what: 'form', action: null }) },
            })}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label={t('Automações do funil')}
          rows={rows}
          rowKey={({ id }) => id}
          onOpen={(action) => setOpened({ what: 'form', action })}
          columns={[
            { key: 'name', title: t('Nome'), cell: ({ name }) => name },
            {
              key: 'where',
              title: t('Funil e etapa'),
              cell: ({ pipelineId, stageId }) => `${nameOf(pipelineId)} · ${stageOf(stageId)}`,
            },
            { key: 'type', title: t('Tipo de Ação'), cell: ({ actionType }) => TYPES[actionType] },
            { key: 'when', title: t('Quando'), cell: timingText },
            { key: 'active', title: t('Ativo'), cell: ({ active }) => <ActiveState isActive={active} feminine /> },
          ]}
          commands={(action) => [
            {
              id: 'edit',
              label: t('Editar'),
              icon: EditIcon,
              run: () => setOpened({ what: 'form', action }),
            },
            {
              id: 'toggle',
              label: action.active ? t('Desligar') : t('Ligar'),
              icon: action.active ? PauseIcon : PlayIcon,
              run: () => void toggle(action),
            },
            {
              id: 'simulate',
              label: t('Simular'),
              icon: PlayIcon,
              run: () => setOpened({ what: 'simulate', action }),
            },
            {
              id: 'logs',
              label: t('Ver Logs'),
              icon: TrailIcon,
              run: () => setOpened({ what: 'logs', action }),
            },
            { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(action) },
          ]}
        />
      )}
      <MoreButton list={list} />
      <Suspense>
        {opened?.what === 'form' && <ActionForm action={opened.action} onClose={() => setOpened(null)} />}
        {opened?.what === 'logs' && <ActionLogs action={opened.action} onClose={() => setOpened(null)} />}
        {opened?.what === 'simulate' && opened.action && (
          <Simulation action={opened.action} onClose={() => setOpened(null)} />
        )}
      </Suspense>
    </Page>
  )
}
