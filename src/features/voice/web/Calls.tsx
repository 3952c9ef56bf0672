import { formatBrazilian } from '#domain/phone/brazil.ts'
import { LOGGED } from '#domain/voice/calls.ts'
import { formatClock, formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { calls } from '../addresses.ts'
import type { LoggedCall } from '../contract.ts'

const DIRECTIONS = { incoming: t('Recebida'), outgoing: t('Feita') } as const

const numberOf = (number: string): string => formatBrazilian(number) ?? number
const otherOf = (row: LoggedCall): string =>
  numberOf(row.direction === 'incoming' ? row.originNumber : row.destinationNumber)
const tones = { Calling: 'warn', Received: 'warn', Accepted: 'info', Completed: 'pos', Ended: 'neg' } as const
const durationOf = ({ callDuration }: LoggedCall): string => (callDuration > 0 ? formatClock(callDuration) : '–')

const columns: readonly Column<LoggedCall>[] = [
  {
    key: 'who',
    title: t('Contato'),
    cell: (row) => (
      <NameCell name={row.contactName || otherOf(row) || t('Número oculto')} detail={row.contactName && otherOf(row)} />
    ),
  },
  { key: 'direction', title: t('Tipo'), width: 100, cell: (row) => DIRECTIONS[row.direction] },
  {
    key: 'status',
    title: t('Situação'),
    width: 130,
    cell: (row) => <Pill tone={tones[row.callStatus]}>{t(LOGGED[row.callStatus])}</Pill>,
  },
  { key: 'user', title: t('Usuário'), cell: (row) => row.userName ?? '–' },
  { key: 'device', title: t('Linha'), cell: (row) => row.deviceName },
  { key: 'duration', title: t('Duração'), width: 90, cell: durationOf },
  { key: 'when', title: t('Quando'), width: 150, cell: (row) => formatDateTime(row.createdAt) },
]

const file: CsvFile<LoggedCall> = {
  name: 'ligacoes.csv',
  most: 50_000,
  columns: [
    ['quando', (row) => formatDateTime(row.createdAt)],
    ['tipo', (row) => DIRECTIONS[row.direction]],
    ['contato', (row) => row.contactName],
    [t('número de origem'), (row) => row.originNumber],
    [t('número de destino'), (row) => row.destinationNumber],
    [t('situação'), (row) => t(LOGGED[row.callStatus])],
    [t('duração (s)'), (row) => row.callDuration],
    [t('usuário'), (row) => row.userName ?? ''],
    ['linha', (row) => row.deviceName],
  ],
}

/** Page with the log of voice calls. */
export function Calls() {
  const [url, setUrl] = useUrlState()
  const direction = url.tipo === 'incoming' || url.tipo === 'outgoing' ? url.tipo : undefined
  const list = useList(calls.list, (page) => page.calls, {
    searchParam: url.busca,
    direction,
    unanswered: url.perdidas ? 'true' : undefined,
    from: url.de,
    to: url.ate,
  })
  return (
    <ListScreen
      title={t('Ligações')}
      nouns={[t('ligação'), t('ligações')]}
      list={list}
      search={t('Contato, número, usuário ou linha')}
      filters={
        <>
          <PeriodFilter from={url.de} to={url.ate} onChange={setUrl} />
          <FilterChip
            label={t('Recebidas')}
            active={direction === 'incoming'}
            onClick={() => setUrl({ tipo: direction === 'incoming' ? undefined : 'incoming' })}
          />
          <FilterChip
            label={t('Feitas')}
            active={direction === 'outgoing'}
            onClick={() => setUrl({ tipo: direction === 'outgoing' ? undefined : 'outgoing' })}
          />
          <FilterChip
            label={t('Sem resposta')}
            active={url.perdidas !== undefined}
            onClick={() => setUrl({ perdidas: url.perdidas ? undefined : '1' })}
          />
        </>
      }
      filterNames={['de', 'ate', 'tipo', 'perdidas']}
      file={file}
      empty={{
        title: t('Nenhuma ligação'),
        text: t('As ligações feitas e recebidas pelas linhas de voz aparecem aqui.'),
      }}
      table={{ columns, rowKey: (row) => row.id, tall: true }}
    />
  )
}
