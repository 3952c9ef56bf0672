import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { shownText } from '#domain/messages/signature.ts'
import { messageEvents } from '#features/ledger/event-addresses.ts'
import { messages } from '#features/messages/addresses.ts'
import written from '#features/notes/web/written.module.css'
import { ticketColumn, useTicketDoors } from '#features/notes/web/written-list.tsx'
import type { Answer } from '#kit/contract.ts'
import { errorText } from '#kit/errors.ts'
import { attempt } from '#web/attempt.ts'
import { choices } from '#web/choices.ts'
import { call, queryClient } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { BlockIcon, EditIcon, SendIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { schedules } from '../addresses.ts'
import { repeatText } from './repeats.ts'

const ScheduleDialog = lazyPart(async () => (await import('./ScheduleDialog.tsx')).ScheduleDialog)
const NewSchedule = lazyPart(async () => (await import('./NewSchedule.tsx')).NewSchedule)

type Row = Answer<typeof schedules.list>['messages'][number]

const waits = ({ status, sendAt }: Row): boolean => status === 'pending' && sendAt !== null

const states: Readonly<Record<string, readonly [name: string, tone: Tone]>> = {
  pending: [t('Saindo'), 'info'],
  queued: [t('Saindo'), 'info'],
  sent: [t('Enviada'), 'pos'],
  delivered: [t('Entregue'), 'pos'],
  read: [t('Lida'), 'pos'],
  played: [t('Ouvida'), 'pos'],
  failed: [t('Não saiu'), 'neg'],
  uncertain: [t('Incerta'), 'warn'],
  canceled: [t('Cancelada'), 'plain'],
}

const stateOf = (row: Row): readonly [name: string, tone: Tone] =>
  waits(row) ? [t('Agendada'), 'info'] : (states[row.status] ?? [row.status, 'plain'])

const kinds: Readonly<Record<string, string>> = {
  text: t('Texto'),
  image: t('Imagem'),
  video: t('Vídeo'),
  audio: t('Áudio'),
  document: t('Documento'),
}
const kindOf = ({ mediaType }: Row): string => kinds[mediaType] ?? t('Outro')
const textOf = (row: Row): string => shownText(row) || row.mediaName || ''

const about = ({ repeat, cancelOnReply }: Row): string =>
  [
    ...(repeat ? [t('Repete {how}', { how: repeatText(repeat) })] : []),
    ...(cancelOnReply ? [t('Só se o cliente não responder antes')] : []),
  ].join(' · ')

const columns: readonly Column<Row>[] = [
  {
    key: 'message',
    title: t('Mensagem'),
    cell: (row) => (
      <span>
        <span className={written.text}>{textOf(row)}</span>
        {about(row) && <small className={written.about}>{about(row)}</small>}
      </span>
    ),
  },
  ticketColumn(),
  {
    key: 'state',
    title: t('Situação'),
    width: 130,
    cell: (row) => (
      <span title={row.errorCode ? errorText(row.errorCode) : undefined}>
        <Pill tone={stateOf(row)[1]}>{stateOf(row)[0]}</Pill>
      </span>
    ),
  },
  { key: 'kind', title: t('Tipo'), width: 110, cell: kindOf },
  { key: 'contact', title: t('Contato'), width: 190, cell: (row) => row.contactName },
  {
    key: 'date',
    title: t('Data'),
    width: 150,
    cell: (row) => <span className="g-num">{row.scheduleDate && formatDateTime(row.scheduleDate)}</span>,
  },
  {
    key: 'created',
    title: t('Criado'),
    width: 150,
    cell: (row) => <span className="g-num">{formatDateTime(row.createdAt)}</span>,
  },
]

const file: CsvFile<Row> = {
  name: 'agendamentos.csv',
  most: 20_000,
  columns: [
    [t('Mensagem'), textOf],
    [t('Atendimento'), (row) => row.ticketId],
    [t('Situação'), (row) => stateOf(row)[0]],
    [t('Tipo'), kindOf],
    [t('Contato'), (row) => row.contactName],
    [t('Data'), (row) => row.scheduleDate && formatDateTime(row.scheduleDate)],
    [t('Criado'), (row) => formatDateTime(row.createdAt)],
    [t('Repetição'), (row) => row.repeat && repeatText(row.repeat)],
    [t('Usuário'), (row) => row.userName],
  ],
}

const reload = () => void queryClient.invalidateQueries({ queryKey: [schedules.list.family] })

const noneNext = {
  title: t('Nenhum agendamento'),
  text: t('As mensagens com dia e hora marcados ficam aqui até serem enviadas.'),
}
const nonePast = {
  title: t('Nenhum agendamento passado'),
  text: t('As mensagens enviadas e as canceladas ficam aqui.'),
}

/** Page of scheduled messages in visible tickets, next first, and of past ones: create, change, cancel, send now. */
export function Schedules() {
  const [url, setUrl] = useUrlState()
  const may = useMay()
  const doors = useTicketDoors()
  const [changing, setChanging] = useState<Row | null>(null)
  const [adding, setAdding] = useState(false)
  const filter = useFilter(url)
  const past = filter.past ?? false
  const live = [messageEvents.update, messageEvents.create, messageEvents.ack]
  const list = useList(schedules.list, (page) => page.messages, filter, live)
  return (
    <ListScreen
      title={t('Agendamentos')}
      nouns={[t('agendamento'), t('agendamentos')]}
      list={list}
      search={t('Mensagem ou contato')}
      view={<WhichControl past={past} onChange={(which) => setUrl({ quando: which })} />}
      filters={<Filters filter={filter} setUrl={setUrl} />}
      filterNames={['canal', 'usuario', 'de', 'ate']}
      empty={past ? nonePast : noneNext}
      file={file}
      add={
        may('tickets:start') && {
          label: t('Adicionar agendamento'),
          first: t('Agendar a primeira'),
          run: () => setAdding(true),
        }
      }
      table={{
        columns,
        rowKey: (row) => row.id,
        hrefOf: ({ ticketId }) => `/atendimento/${ticketId}`,
        onOpen: (row) => doors.open(row.ticketId, waits(row) ? undefined : row.timestamp),
        commands: (row) => [
          ...doors.commands(row.ticketId, waits(row) ? undefined : row.timestamp),
          ...commandsOf(row, setChanging),
        ],
      }}
    >
      {doors.peek}
      <Suspense>
        {changing?.scheduleDate && (
          <ChangeDialog row={changing} scheduleDate={changing.scheduleDate} onClose={() => setChanging(null)} />
        )}
        {adding && <NewSchedule onDone={reload} onClose={() => setAdding(false)} />}
      </Suspense>
    </ListScreen>
  )
}

/** Hook with the list's filters from the URL. */
function useFilter(url: Url) {
  const past = url.quando === 'passadas'
  return useMemo(
    () => ({
      searchParam: url.busca,
      past: past || undefined,
      from: url.de,
      to: url.ate,
      user: url.usuario ? Number(url.usuario) : undefined,
      whatsappId: url.canal ? Number(url.canal) : undefined,
    }),
    [url.busca, past, url.de, url.ate, url.usuario, url.canal],
  )
}

/** Control that shows the coming messages or the past ones. */
function WhichControl({ past, onChange }: { past: boolean; onChange: (which: string | undefined) => void }) {
  return (
    <SegmentedControl
      aria-label={t('Quais')}
      value={past ? 'past' : 'next'}
      data={[
        { value: 'next', label: t('A enviar') },
        { value: 'past', label: t('Passadas') },
      ]}
      onChange={(which) => onChange(which === 'past' ? 'passadas' : undefined)}
    />
  )
}

/** Filters by channel, user and period. */
function Filters({ filter, setUrl }: { filter: ReturnType<typeof useFilter>; setUrl: SetUrl }) {
  const people = useQuery(choices('users', { assignable: true })).data ?? []
  const channels = useQuery(choices('connections')).data ?? []
  return (
    <>
      <ChoiceFilter
        label={t('Canal')}
        options={channels}
        chosen={filter.whatsappId ? [filter.whatsappId] : []}
        onChange={(ids) => setUrl({ canal: ids.at(-1) })}
      />
      <ChoiceFilter
        label={t('Usuário')}
        options={people}
        chosen={filter.user ? [filter.user] : []}
        onChange={(ids) => setUrl({ usuario: ids.at(-1) })}
      />
      <PeriodFilter from={filter.from} to={filter.to} onChange={setUrl} />
    </>
  )
}

/** Returns the commands of a waiting message. */
const commandsOf = (row: Row, onChange: (row: Row) => void): Command[] => [
  { id: 'change', label: t('Alterar'), icon: EditIcon, when: () => waits(row), run: () => onChange(row) },
  { id: 'now', label: t('Enviar agora'), icon: SendIcon, when: () => waits(row), run: () => void sendNow(row) },
  {
    id: 'cancel',
    label: row.repeat ? t('Cancelar e não repetir') : t('Cancelar agendamento'),
    icon: BlockIcon,
    tone: 'neg',
    when: () => waits(row),
    run: () => void cancel(row),
  },
]

/** Sends a waiting message now, after a confirmation. */
async function sendNow(row: Row): Promise<void> {
  const title = t('Enviar agora a {name}?', { name: row.contactName })
  const goesOn = row.repeat ? `\n${t('As próximas repetições ficam como estão.')}` : ''
  if (!(await confirm({ title, text: `${textOf(row)}${goesOn}`, action: t('Enviar agora'), tone: 'brand' }))) return
  const body = { scheduleDate: null }
  await attempt(() => call(messages.change, { params: { id: row.id }, body }, { quiet: true }), t('Mensagem enviada'))
  reload()
}

/** Cancels a waiting message, after a confirmation. */
async function cancel(row: Row): Promise<void> {
  const text = row.repeat
    ? t('A mensagem não sai, e não se repete mais.')
    : t('A mensagem não sai. Fica na lista das passadas.')
  if (!(await confirm({ title: t('Cancelar o agendamento?'), text, action: t('Cancelar agendamento') }))) return
  await attempt(() => call(messages.cancel, { params: { id: row.id } }, { quiet: true }), t('Agendamento cancelado'))
  reload()
}

/** Dialog that changes a waiting message. */
function ChangeDialog(props: { row: Row; scheduleDate: string; onClose: () => void }) {
  const { row, scheduleDate, onClose } = props
  return (
    <ScheduleDialog
      ticketId={row.ticketId}
      name={row.contactName}
      subject={{
        body: row.body,
        change: {
          id: row.id,
          scheduleDate,
          userName: row.userName,
          repeat: row.repeat,
          cancelOnReply: row.cancelOnReply,
          mediaName: row.mediaName,
        },
        onDone: reload,
      }}
      onClose={onClose}
    />
  )
}
