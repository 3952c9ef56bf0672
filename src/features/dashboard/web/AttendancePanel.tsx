import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { type ColumnsBy, figuresOf, ofColumn } from '#domain/tickets/figures.ts'
import { loadOfCompany } from '#features/attendance/web/index.ts'
import { sentence } from '#web/api.ts'
import { choices } from '#web/choices.ts'
import { folded } from '#web/fold.ts'
import { formatNumber, formatTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { CheckIcon, DoubleCheckIcon, TransferIcon } from '#web/ui/icons.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import type { PanelColumn } from '../contract.ts'
import { useColumns } from './live.ts'
import css from './panel.module.css'
import { nameOf, PanelCard } from './panel-card.tsx'

const MassDialog = lazyPart(async () => (await loadOfCompany()).MassDialog)
type Question = Parameters<Awaited<ReturnType<typeof loadOfCompany>>['MassDialog']>[0]['of']

type Asked = { readonly by: ColumnsBy; readonly groups: boolean; readonly queueId: number | undefined }

const sumOf = (columns: readonly PanelColumn[], key: 'open' | 'pending' | 'waiting' | 'free') =>
  columns.reduce((sum, column) => sum + column[key], 0)

/** Page of the attendance panel: tickets of each agent or queue, with bulk actions. */
export function AttendancePanel() {
  const [url] = useUrlState()
  const by: ColumnsBy = url.por === 'filas' ? 'queue' : 'user'
  const groups = url.grupos === 'sim'
  const withTickets = url.lista !== 'nao'
  const queueId = by === 'user' && Number(url.fila) > 0 ? Number(url.fila) : undefined
  const asked: Asked = useMemo(() => ({ by, groups, queueId }), [by, groups, queueId])
  const { data, error, dataUpdatedAt, refetch } = useColumns(asked)
  const [question, setQuestion] = useState<Question | null>(null)
  const found = folded(url.busca ?? '')
  const columns = data?.columns.filter((column) => folded(nameOf(column, by)).includes(found)) ?? []
  return (
    <Page wide>
      <PageHeader
        title={t('Painel Atendimentos')}
        facts={data && factsOf(columns, dataUpdatedAt)}
        actions={<MassActions groups={groups} onAsk={setQuestion} />}
      />
      <Filters asked={asked} withTickets={withTickets} />
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {data && columns.length === 0 && (
        <EmptyState title={t('Ninguém aqui')} text={t('Nenhuma pessoa ou fila corresponde ao que foi escolhido.')} />
      )}
      <div className={css.cards}>
        {columns.map((column) => (
          <PanelCard
            key={`${by} ${column.id}`}
            column={column}
            asked={asked}
            withTickets={withTickets}
            commands={() => commandsOf(column, asked, setQuestion)}
          />
        ))}
      </div>
      {question && (
        <Suspense>
          <MassDialog of={question} onClose={() => setQuestion(null)} />
        </Suspense>
      )}
    </Page>
  )
}

/** Filters of the panel, kept in the address. */
function Filters({ asked, withTickets }: { asked: Asked; withTickets: boolean }) {
  const { by, groups, queueId } = asked
  const [url, setUrl] = useUrlState()
  const queues = useQuery(choices('queues')).data ?? []
  return (
    <FilterRow
      right={
        <>
          <FilterChip
            label={t('Com atendimentos')}
            active={withTickets}
            onClick={() => setUrl({ lista: withTickets ? 'nao' : undefined })}
          />
          <FilterChip
            label={t('Com grupos')}
            active={groups}
            onClick={() => setUrl({ grupos: groups ? undefined : 'sim' })}
          />
        </>
      }
    >
      <SearchField
        value={url.busca ?? ''}
        onChange={(busca) => setUrl({ busca })}
        placeholder={by === 'user' ? t('Buscar pessoa') : t('Buscar fila')}
      />
      <FilterChip label={t('Por pessoa')} active={by === 'user'} onClick={() => setUrl({ por: undefined })} />
      <FilterChip
        label={t('Por fila')}
        active={by === 'queue'}
        onClick={() => setUrl({ por: 'filas', fila: undefined })}
      />
      {by === 'user' && (
        <ChoiceFilter
          label={t('Quem trabalha na fila')}
          options={queues.map(({ id, queue }) => ({ id, name: queue }))}
          chosen={queueId === undefined ? [] : [queueId]}
          onChange={(ids) => setUrl({ fila: ids.at(-1) })}
        />
      )}
    </FilterRow>
  )
}

const factsOf = (columns: readonly PanelColumn[], at: number): string =>
  t('Ao vivo · {pending} · {open} · {waiting} esperando · atualizado às {at}', {
    pending: plural(sumOf(columns, 'pending'), t('pendente'), t('pendentes')),
    open: plural(sumOf(columns, 'open'), t('aberto'), t('abertos')),
    waiting: formatNumber(sumOf(columns, 'waiting')),
    at: formatTime(at),
  })

type Ask = (question: Question) => void

const closing = (list: Extract<Question, { kind: 'close' }>['list'], title: string, onAsk: Ask, seen?: number) => {
  void loadOfCompany().then(({ closeAll }) => closeAll(list, () => onAsk({ kind: 'close', title, list, seen }), seen))
}

/** Returns the bulk actions on all tickets of a column. */
function commandsOf(column: PanelColumn, { by, groups }: Asked, onAsk: Ask): Command[] {
  const name = nameOf(column, by)
  const end = (status: 'open' | 'pending', title: string) => () =>
    closing(ofColumn(figuresOf(groups)[status], by, column.id), title, onAsk, column[status])
  return [
    {
      id: 'move',
      label: t('Transferir todos…'),
      icon: TransferIcon,
      when: () => column.open + column.pending > 0,
      run: () => onAsk({ kind: 'move', by, groups, from: column.id }),
    },
    {
      id: 'close-open',
      label: t('Resolver os abertos…'),
      icon: CheckIcon,
      when: () => column.open > 0,
      run: end('open', t('Resolver os abertos de {name}', { name })),
    },
    {
      id: 'close-pending',
      label: t('Resolver os pendentes…'),
      icon: CheckIcon,
      when: () => column.pending > 0,
      run: end('pending', t('Resolver os pendentes de {name}', { name })),
    },
  ]
}

/** Menu of bulk actions on all tickets of the company. */
function MassActions({ groups, onAsk }: { groups: boolean; onAsk: Ask }) {
  const may = useMay()
  const end = (status: 'open' | 'pending', title: string) => () => closing(figuresOf(groups)[status], title, onAsk)
  const commands: Command[] = [
    {
      id: 'move-people',
      label: t('Transferir entre pessoas…'),
      icon: TransferIcon,
      run: () => onAsk({ kind: 'move', by: 'user', groups }),
    },
    {
      id: 'move-queues',
      label: t('Transferir entre filas…'),
      icon: TransferIcon,
      run: () => onAsk({ kind: 'move', by: 'queue', groups }),
    },
    {
      id: 'move-none',
      label: t('Transferir todos os sem fila…'),
      icon: TransferIcon,
      run: () => onAsk({ kind: 'move', by: 'queue', groups, from: null }),
    },
    {
      id: 'move-channels',
      label: t('Transferir entre canais…'),
      icon: TransferIcon,
      when: () => may('tickets:maintain'),
      run: () => onAsk({ kind: 'channels' }),
    },
    {
      id: 'read-all',
      label: t('Marcar todas as mensagens como lidas…'),
      icon: DoubleCheckIcon,
      when: () => may('tickets:maintain'),
      run: () => void loadOfCompany().then(({ readAll }) => readAll()),
    },
    {
      id: 'close-open',
      label: t('Resolver todos os abertos…'),
      icon: CheckIcon,
      tone: 'neg',
      run: end('open', t('Resolver todos os abertos da empresa')),
    },
    {
      id: 'close-pending',
      label: t('Resolver todos os pendentes…'),
      icon: CheckIcon,
      tone: 'neg',
      run: end('pending', t('Resolver todos os pendentes da empresa')),
    },
  ]
  return <CommandMenu commands={commands} target={<Button variant="default">{t('Ações em massa')}</Button>} />
}
