import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatBytes, formatDateTime, formatNumber, formatTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Meter } from '#web/ui/identity/Meter.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { operation } from '../addresses.ts'
import css from './operation.module.css'
import { Pairs } from './Pairs.tsx'

const EVERY_MS = 10_000

type State = Answer<typeof operation.monitor>

const partNames: Record<State['failing'][number]['part'], string> = {
  database: t('Banco de dados'),
  disk: t('Gravação em disco'),
  ingest: t('Recebimento de mensagens'),
  worker: t('Tarefas em segundo plano'),
  channels: t('Canais conectados'),
  listen: t('Avisos em tempo real'),
}

/** Page of the server's load: processors, memory, disk, database and what fails, refreshed every ten seconds. */
export function Monitor() {
  const { data, error, refetch, dataUpdatedAt } = useQuery({ ...query(operation.monitor), refetchInterval: EVERY_MS })
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data)
    return (
      <Page>
        <PageHeader title={t('Monitor')} />
        <SkeletonRows kind="card" rows={3} />
      </Page>
    )
  const isFine = !error && data.failing.length === 0
  return (
    <Page>
      <PageHeader
        title={t('Monitor')}
        facts={t('Conferido às {time}, a cada 10 segundos', { time: formatTime(dataUpdatedAt) })}
        actions={isFine ? <Pill tone="pos">{t('Funcionando')}</Pill> : <Pill tone="neg">{t('Com falha')}</Pill>}
      />
      <div className={css.column}>
        {!isFine && (
          <Card title={t('O que está com falha')}>
            {error && <p role="alert">{sentence(error)}</p>}
            <Pairs
              rows={data.failing.map(({ part, since }) => ({
                key: partNames[part],
                value: t('desde {when}', { when: formatDateTime(since) }),
              }))}
            />
          </Card>
        )}
        <div className={css.loads}>
          <Loads {...data} />
        </div>
        <Server {...data} />
      </div>
    </Page>
  )
}

function Loads({ cpu, memory, disk, database }: State) {
  const { connections, maxConnections } = database
  return (
    <>
      <Load title={t('Processador')} figure={`${formatNumber(cpu.usage)}%`} used={cpu.usage} most={100}>
        {plural(cpu.cores, t('núcleo'), t('núcleos'))}
      </Load>
      <Load
        title={t('Memória')}
        figure={`${formatNumber(memory.usedPercentage)}%`}
        used={memory.used}
        most={memory.total}
      >
        {t('{used} de {total}', { used: formatBytes(memory.used), total: formatBytes(memory.total) })}
      </Load>
      {disk && (
        <Load
          title={t('Disco')}
          figure={t('{free} livres', { free: formatBytes(disk.free) })}
          used={disk.total - disk.free}
          most={disk.total}
        >
          {t('de {total}, onde ficam os arquivos', { total: formatBytes(disk.total) })}
        </Load>
      )}
      <Load title={t('Banco de dados')} figure={formatBytes(database.size)} used={connections} most={maxConnections}>
        {t('{used} de {most} sessões abertas', { used: connections, most: maxConnections })}
      </Load>
    </>
  )
}

function Load(props: { title: string; figure: string; used: number; most: number; children: ReactNode }) {
  const { title, figure, used, most, children } = props
  return (
    <Card>
      <h2 className={css.load}>
        {title} <b>{figure}</b>
      </h2>
      <Meter label={title} used={used} most={most} />
      <p className="g-help">{children}</p>
    </Card>
  )
}

function Server({ host, uptime, memory, database }: State) {
  return (
    <Card title={t('Servidor que respondeu')}>
      <Pairs
        rows={[
          { key: t('Nome'), value: host },
          { key: t('No ar desde'), value: formatDateTime(Date.now() - uptime * 1000) },
          { key: t('Memória do Guichê'), value: formatBytes(memory.process) },
          { key: 'PostgreSQL', value: database.version },
        ]}
      />
    </Card>
  )
}
