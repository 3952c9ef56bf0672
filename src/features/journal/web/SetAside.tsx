import { Button, SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { MESSAGE_TYPE_LABELS } from '#domain/messages/types.ts'
import { journalEvents } from '#features/ledger/event-addresses.ts'
import { attempt } from '#web/attempt.ts'
import { call, queryClient } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { RefreshIcon } from '#web/ui/icons.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { BulkBar } from '#web/ui/table/BulkBar.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type Url, useUrlState } from '#web/url-state.ts'
import { journal } from '../addresses.ts'
import type { SetAsideEvent } from '../contract.ts'

/** Refresh interval for the superadmin, who gets no events of other companies. */
const refreshMs = 10_000
const mostAtOnce = 500

const reasons: Record<SetAsideEvent['fault'], string> = {
  data: t('Um dado não pôde ser guardado'),
  limit: t('Passou de um limite'),
  own: t('Falha do próprio sistema'),
}

const kinds: Readonly<Record<SetAsideEvent['kind'], string>> = {
  ...MESSAGE_TYPE_LABELS,
  receipt: t('Confirmação de entrega ou leitura'),
  watermark: t('Confirmação até um momento'),
  edit: t('Edição de uma mensagem'),
  revoke: t('Exclusão de uma mensagem'),
  reaction: t('Reação a uma mensagem'),
  participants: t('Participantes de um grupo'),
  addresses: t('Outro endereço do contato'),
  profile: t('Nome ou imagem de um grupo'),
  picture: t('Nova foto de um contato'),
  job: t('Tarefa do sistema'),
  other: t('Outro evento'),
}

const columns: readonly Column<SetAsideEvent>[] = [
  {
    key: 'kind',
    title: t('Evento'),
    width: 230,
    cell: (row) => (
      <NameCell name={kinds[row.kind]} detail={t('chegou em {at}', { at: formatDateTime(row.receivedAt) })} />
    ),
  },
  {
    key: 'reason',
    title: t('Motivo'),
    width: 380,
    cell: ({ fault, code, detail }) => (
      <NameCell name={reasons[fault]} detail={[code, detail].filter(Boolean).join(' · ')} />
    ),
  },
  {
    key: 'connection',
    title: t('Canal'),
    width: 250,
    cell: ({ connection, task, tenant }) => <NameCell name={connection?.name ?? task ?? ''} detail={tenant?.name} />,
  },
  {
    key: 'aside',
    title: t('Separado em'),
    width: 140,
    cell: (row) => <span className="g-num">{formatDateTime(row.setAsideAt)}</span>,
  },
  { key: 'attempts', title: t('Tentativas'), width: 96, numeric: true, cell: (row) => row.attempts },
]

const faults = Object.entries(reasons).map(([id, name]) => ({ id: id as SetAsideEvent['fault'], name }))

const EMPTY = {
  title: t('Nenhuma mensagem com erro'),
  text: t('O que chega de um canal e não pode ser processado espera aqui, com o motivo; o resto segue normalmente.'),
}

/** Page of set-aside events with reasons; retries one, some or all. The superadmin sees those of all companies. */
export function SetAside() {
  const [url, setUrl] = useUrlState()
  const { runsInstallation, ofAll, filter, list, selected, setSelected, isBusy, retry } = useSetAside(url)
  const choose = (visao: string) => {
    setSelected(new Set())
    setUrl({ visao: visao === 'empresa' ? visao : undefined })
  }
  const chosen = list.rows.filter((row) => selected.has(row.id)).map((row) => row.id)
  const retryAction = (ids: readonly string[]) => ({
    id: 'retry',
    label: t('Tentar de novo'),
    icon: RefreshIcon,
    run: () => void retry(ids.slice(0, mostAtOnce)),
  })

  return (
    <ListScreen
      title={t('Mensagens com erro')}
      nouns={[t('evento'), t('eventos')]}
      list={list}
      search={ofAll ? t('Canal, código ou empresa') : t('Canal ou código')}
      filters={
        <ChoiceFilter
          label={t('Motivo')}
          options={faults}
          chosen={filter.fault ? [filter.fault] : []}
          onChange={(ids) => setUrl({ motivo: ids.at(-1) })}
        />
      }
      filterNames={['motivo']}
      view={runsInstallation && <OwnerSwitch ofAll={ofAll} onChange={choose} />}
      empty={EMPTY}
      actions={
        (list.first?.count ?? 0) > 0 && (
          <Button leftSection={<RefreshIcon size={17} />} loading={isBusy} onClick={() => void retry()}>
            {t('Tentar todos de novo')}
          </Button>
        )
      }
      table={{
        columns,
        rowKey: (row) => row.id,
        commands: (row) => [retryAction([row.id])],
        selected,
        onSelect: setSelected,
        tall: true,
      }}
    >
      <BulkBar count={chosen.length} commands={[retryAction(chosen)]} onClear={() => setSelected(new Set())} />
    </ListScreen>
  )
}

function OwnerSwitch({ ofAll, onChange }: { ofAll: boolean; onChange: (visao: string) => void }) {
  return (
    <SegmentedControl
      aria-label={t('De quem')}
      value={ofAll ? 'todas' : 'empresa'}
      onChange={onChange}
      data={[
        { value: 'todas', label: t('Todas as empresas') },
        { value: 'empresa', label: t('Minha empresa') },
      ]}
    />
  )
}

/** Events that could not be processed, of the company or of the whole installation. */
function useSetAside(url: Url) {
  const runsInstallation = useMay()('platform:write')
  const ofAll = runsInstallation && url.visao !== 'empresa'
  const ops = ofAll
    ? { list: journal.platformList, retry: journal.platformRetry }
    : { list: journal.list, retry: journal.retry }
  const filter = useMemo(
    () => ({ searchParam: url.busca, fault: faults.find(({ id }) => id === url.motivo)?.id }),
    [url.busca, url.motivo],
  )
  const list = useList(ops.list, (page) => page.events, filter, [journalEvents.changed])
  useEffect(() => {
    if (!ofAll) return
    const read = () => void queryClient.invalidateQueries({ queryKey: [journal.list.family] })
    const timer = setInterval(read, refreshMs)
    return () => clearInterval(timer)
  }, [ofAll])

  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const retry = async (ids?: readonly string[]) => {
    setBusy(true)
    await attempt(async () => {
      const { retried } = await call(ops.retry, { body: ids ? { ids: [...ids] } : {} }, { quiet: true })
      notify({
        tone: 'pos',
        title: plural(retried, 'evento volta à fila', 'eventos voltam à fila'),
        text: t('O que ainda não puder ser processado reaparece aqui.'),
      })
      setSelected(new Set())
    })
    setBusy(false)
  }
  return { runsInstallation, ofAll, filter, list, selected, setSelected, isBusy, retry }
}
