import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { mutation, query } from '#web/client.ts'
import { formatDateTime, formatNumber, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { RefreshIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { operation } from '../addresses.ts'
import type { JobQueue } from '../contract.ts'

const EVERY_MS = 10_000

const columns: readonly Column<JobQueue>[] = [
  { key: 'queueName', title: t('Nome da Fila'), cell: (row) => row.queueName },
  {
    key: 'failedCount',
    title: t('Tarefas falhadas'),
    numeric: true,
    cell: (row) =>
      row.failedCount > 0 ? <Pill tone="neg">{formatNumber(row.failedCount)}</Pill> : formatNumber(row.failedCount),
  },
  { key: 'activeCount', title: t('Em andamento'), numeric: true, cell: (row) => formatNumber(row.activeCount) },
  { key: 'waitingCount', title: t('Aguardando'), numeric: true, cell: (row) => formatNumber(row.waitingCount) },
  { key: 'laterCount', title: t('Com hora marcada'), numeric: true, cell: (row) => formatNumber(row.laterCount) },
  {
    key: 'oldest',
    title: t('Espera desde'),
    width: 160,
    cell: (row) => (row.oldest ? formatDateTime(row.oldest) : '–'),
  },
]

/** Page of the job queue by kind, refreshed every ten seconds; retries failed jobs. */
export function JobQueues() {
  const { data, error, refetch, dataUpdatedAt, isFetching } = useQuery({
    ...query(operation.queues),
    refetchInterval: EVERY_MS,
  })
  const reprocess = useMutation(
    mutation(operation.reprocess, {
      onSuccess: ({ count }) =>
        notify({
          ...{ id: 'reprocess', tone: 'pos' },
          title: count === 1 ? t('1 tarefa volta para a fila') : t('{count} tarefas voltam para a fila', { count }),
        }),
    }),
  )
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <Page wide>
      <PageHeader
        title={t('Filas de Tarefas')}
        facts={data && t('Conferido às {time}, a cada 10 segundos', { time: formatTime(dataUpdatedAt) })}
        actions={
          <Button
            variant="default"
            leftSection={<RefreshIcon size={17} />}
            loading={isFetching && !data}
            onClick={() => void refetch()}
          >
            {t('Atualizar filas')}
          </Button>
        }
      />
      {!data && <SkeletonRows kind="table" rows={5} />}
      {data?.length === 0 && (
        <EmptyState
          title={t('Nenhuma tarefa na fila')}
          text={t('O que o servidor faz por trás das telas aparece aqui enquanto espera, anda ou falha.')}
        />
      )}
      {data && data.length > 0 && (
        <DataTable
          label={t('Filas de Tarefas')}
          columns={columns}
          rows={data}
          rowKey={({ queueName }) => queueName}
          commands={({ queueName, failedCount }) => [
            {
              id: 'reprocess',
              label: t('Tentar de novo as falhadas'),
              icon: RefreshIcon,
              when: () => failedCount > 0,
              run: () => reprocess.mutate({ params: { queueName } }),
            },
          ]}
        />
      )}
    </Page>
  )
}
