import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useState } from 'react'
import { loadOfConnection } from '#features/attendance/web/index.ts'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { query } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { AddButton } from '#web/resource/AddButton.tsx'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon } from '#web/ui/icons.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { connectionList } from '../addresses.ts'
import type { ConnectionRow } from '../contract.ts'
import { ChannelChoice } from './ChannelChoice.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { connect } from './connect.ts'
import css from './connections.module.css'
import { factsOf, needsAttention, numberOf } from './labels.ts'
import { useLiveConnections } from './live.ts'

const ImportDialog = lazyPart(async () => (await loadOfConnection()).ImportDialog)
const MoveChannel = lazyPart(async () => (await loadOfConnection()).MoveChannel)
const LinkDialog = lazyPart(async () => (await import('./LinkDialog.tsx')).LinkDialog)
const Outages = lazyPart(async () => (await import('./Outages.tsx')).Outages)

/** Screen of the company's connections: status, create, update, start, stop, remove. */
export function Connections() {
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()('connections:write')
  const { data, error, refetch } = useQuery(query(connectionList.list, { query: { details: 'true' } }))
  const queues = useChoices('queues')
  const [importing, setImporting] = useState<ConnectionRow | null>(null)
  const [moving, setMoving] = useState<ConnectionRow | null>(null)
  const [madeId, setMadeId] = useState<number | null>(null)
  useLiveConnections()
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />

  const rows = data?.connections ?? []
  const isFull = data?.maxConnections !== undefined && rows.length >= data.maxConnections
  const shown = rows.filter(
    (row) =>
      isFound(row, url.busca ?? '') &&
      (url.atencao === undefined || needsAttention(row)) &&
      (url.canal === undefined || row.type === url.canal),
  )
  const linking = rows.find(({ id }) => String(id) === url.ligar)
  const viewed = rows.find(({ id }) => String(id) === url.quedas)
  const types = [...new Set(rows.map(({ type }) => type))]
  const add = { label: t('Adicionar canal'), run: () => setUrl({ id: 'novo' }) }
  const edited = url.tipo ?? rows.find(({ id }) => String(id) === url.id)?.type ?? ''
  const close = () => setUrl({ id: undefined, tipo: undefined })
  // Shows the new connection despite any search, and opens its next step.
  const leadOn = (row: { id: number; type: string }) => {
    setMadeId(row.id)
    setUrl({ busca: undefined, atencao: undefined, canal: undefined })
    void connect(row, () => setUrl({ ligar: row.id }))
  }
  const queueName = (id: number | null) => queues.find((one) => one.id === id)?.queue ?? t('Sem fila')
  return (
    <Page>
      <PageHeader
        title={t('Canais de Comunicação')}
        facts={data && factsOf(rows, data.maxConnections)}
        actions={
          mayWrite && (
            <AddButton
              {...add}
              refusal={isFull ? t('O plano não comporta mais canais. Exclua um ou mude de plano.') : undefined}
            />
          )
        }
      />
      {!data && <SkeletonRows kind="card" rows={3} />}
      {data && rows.length === 0 && (
        <EmptyState
          title={t('Nenhum canal')}
          text={t('Um canal traz para cá as conversas de um número, de um site ou de uma conta.')}
          {...(mayWrite ? { step: { ...add, icon: <AddIcon size={17} /> } } : {})}
        />
      )}
      {rows.length > 0 && (
        <FilterRow
          right={
            <SegmentedControl
              aria-label={t('Tamanho dos cartões')}
              value={url.modo === 'compacto' ? 'compact' : 'full'}
              data={[
                { value: 'full', label: t('Completos') },
                { value: 'compact', label: t('Compactos') },
              ]}
              onChange={(look) => setUrl({ modo: look === 'compact' ? 'compacto' : undefined })}
            />
          }
        >
          <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder={t('Buscar canais')} />
          <FilterChip
            label={t('Pedem atenção')}
            active={url.atencao !== undefined}
            onClick={() => setUrl({ atencao: url.atencao ? undefined : 'sim' })}
            onClear={() => setUrl({ atencao: undefined })}
          />
          {types.length > 1 &&
            types.map((type) => (
              <FilterChip
                key={type}
                label={channelLook(type).name}
                active={url.canal === type}
                onClick={() => setUrl({ canal: url.canal === type ? undefined : type })}
                onClear={() => setUrl({ canal: undefined })}
              />
            ))}
        </FilterRow>
      )}
      {rows.length > 0 && shown.length === 0 && (
        <EmptyState
          title={t('Nenhum canal com este filtro')}
          text={t('Confira o que foi digitado e o que está escolhido.')}
          other={{
            label: t('Limpar filtros'),
            run: () => setUrl({ busca: undefined, atencao: undefined, canal: undefined }),
          }}
        />
      )}
      <ul className={css.cards} data-compact={url.modo === 'compacto' || undefined}>
        {shown.map((row) => (
          <ConnectionCard
            key={row.id}
            row={row}
            queue={queueName(row.queueId)}
            mayWrite={mayWrite}
            isNew={row.id === madeId}
            onEdit={() => setUrl({ id: row.id })}
            onImport={() => setImporting(row)}
            onLink={() => setUrl({ ligar: row.id })}
            onOutages={() => setUrl({ quedas: row.id })}
            onMove={() => setMoving(row)}
          />
        ))}
      </ul>
      {mayWrite && linking && (
        <Suspense>
          <LinkDialog row={linking} onClose={() => setUrl({ ligar: undefined })} />
        </Suspense>
      )}
      {viewed && (
        <Suspense>
          <Outages row={viewed} onClose={() => setUrl({ quedas: undefined })} />
        </Suspense>
      )}
      {importing && (
        <Suspense>
          <ImportDialog id={importing.id} name={importing.name} onClose={() => setImporting(null)} />
        </Suspense>
      )}
      {moving && (
        <Suspense>
          <MoveChannel id={moving.id} name={moving.name} onClose={() => setMoving(null)} />
        </Suspense>
      )}
      {mayWrite && data && url.id === 'novo' && !url.tipo && (
        <ChannelChoice
          types={data.types ?? []}
          missing={data.missing ?? []}
          onChoose={(tipo) => setUrl({ tipo })}
          onClose={close}
        />
      )}
      {mayWrite && url.id && (url.id !== 'novo' || url.tipo) && (
        <ConnectionForm
          key={`${url.id} ${url.tipo}`}
          id={url.id}
          type={edited}
          isMissing={data?.missing?.includes(edited) ?? false}
          onCreated={leadOn}
          onClose={close}
        />
      )}
    </Page>
  )
}

const isFound = (row: ConnectionRow, search: string): boolean =>
  folded(`${row.name} ${channelLook(row.type).name} ${numberOf(row)} ${row.number ?? ''}`).includes(folded(search))
