import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { loadOfContact } from '#features/attendance/web/index.ts'
import { ticketEvents } from '#features/ledger/event-addresses.ts'
import { startSettingsLive } from '#features/settings/web/index.ts'
import type { Answer } from '#kit/contract.ts'
import type { Permission } from '#kit/permissions.ts'
import { attempt } from '#web/attempt.ts'
import { choices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon, SettingsIcon, ShowIcon, TicketsIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { evaluations } from '../addresses.ts'
import type { RatingRow } from '../contract.ts'
import css from './ratings.module.css'
import { Stars } from './Stars.tsx'
import { Summary } from './Summary.tsx'

startSettingsLive('ratings')

const Peek = lazyPart(async () => (await loadOfContact()).Peek)

/** Status texts shown in place of a rating. */
const states: Record<Exclude<RatingRow['status'], 'answered'>, { name: string; tone: Tone }> = {
  asked: { name: t('Aguardando resposta'), tone: 'info' },
  invalid: { name: t('Resposta inválida'), tone: 'warn' },
  expired: { name: t('Não respondeu'), tone: 'plain' },
  left: { name: t('Não avaliou'), tone: 'plain' },
}

/** Ticket number; with a label on a phone, where the table has no headings. */
const Ticket = ({ id }: { id: number }) => (
  <span className="g-num">
    <span className={css.named}>{t('Atendimento')}</span> {id}
  </span>
)

const columns: readonly Column<RatingRow>[] = [
  { key: 'ticket', title: t('Atendimento'), width: 130, cell: (row) => <Ticket id={row.ticketId} /> },
  { key: 'contact', title: t('Nome do Contato'), cell: (row) => row.contactName },
  {
    key: 'evaluation',
    title: t('Avaliação'),
    width: 190,
    cell: (row) =>
      row.status === 'answered' && row.evaluation !== null ? (
        <Stars value={row.evaluation} />
      ) : (
        row.status !== 'answered' && <Pill tone={states[row.status].tone}>{states[row.status].name}</Pill>
      ),
  },
  { key: 'user', title: t('Usuário'), cell: (row) => row.user?.name },
  { key: 'queue', title: t('Fila'), cell: (row) => row.queue?.queue },
  {
    key: 'date',
    title: t('Data'),
    width: 150,
    cell: (row) => <span className="g-num">{formatDateTime(row.answeredAt ?? row.createdAt)}</span>,
  },
]

const file: CsvFile<RatingRow> = {
  name: 'avaliacoes.csv',
  most: 50_000,
  columns: [
    [t('Atendimento'), (row) => row.ticketId],
    [t('Nome do Contato'), (row) => row.contactName],
    [t('Avaliação'), (row) => row.evaluation],
    [t('Situação'), (row) => (row.status === 'answered' ? t('Avaliado') : states[row.status].name)],
    [t('Usuário'), (row) => row.user?.name],
    [t('Fila'), (row) => row.queue?.queue],
    [t('Perguntado em'), (row) => formatDateTime(row.createdAt)],
    [t('Respondido em'), (row) => row.answeredAt && formatDateTime(row.answeredAt)],
  ],
}

const grades = [5, 4, 3, 2, 1, 0].map((id) => ({ id, name: t('Nota {id}', { id }) }))

/** Page of ratings: mean, counts and each rating, updated live; opens tickets. */
export function Ratings() {
  const [url, setUrl] = useUrlState()
  const [peeking, setPeeking] = useState<number | null>(null)
  const navigate = useNavigate()
  const may = useMay()
  const filter = useRatingFilter(url)
  const list = useList(evaluations.list, (page) => page.ticketEvaluations, filter, [ticketEvents.rated])
  const people = useQuery(choices('users', { assignable: true })).data ?? []
  const open = (id: number) => void navigate({ to: `/atendimento/${id}` })

  const settings = may('ratings:write') && (
    <Button variant="default" leftSection={<SettingsIcon size={17} />} component={Link} to={'/avaliacoes/configurar'}>
      {t('Configurar')}
    </Button>
  )
  return (
    <ListScreen
      title={t('Avaliações')}
      nouns={[t('avaliação pedida'), t('avaliações pedidas')]}
      list={list}
      search={t('Contato ou atendimento')}
      filters={<RatingFilters filter={filter} setUrl={setUrl} people={people} url={url} />}
      filterNames={['notas', 'usuario', 'de', 'ate', 'avaliados']}
      empty={{
        title: t('Nenhuma avaliação'),
        text: t('Quando um atendimento é resolvido, o cliente é convidado a dar uma nota, e ela aparece aqui.'),
      }}
      file={file}
      actions={settings}
      note={<RatingNotes list={list} may={may} />}
      table={{
        columns,
        rowKey: (row) => row.id,
        onOpen: (row) => setPeeking(row.ticketId),
        commands: (row) => commandsOf(row, { setPeeking, open, may }),
      }}
    >
      {peeking !== null && (
        <Suspense>
          <Peek id={peeking} doors={{ follow: open }} onClose={() => setPeeking(null)} />
        </Suspense>
      )}
    </ListScreen>
  )
}

function useRatingFilter(url: Readonly<Record<string, string | undefined>>) {
  return useMemo(
    () => ({
      searchParam: url.busca,
      from: url.de,
      to: url.ate,
      rating: url.notas?.split(',').map(Number),
      user: url.usuario ? Number(url.usuario) : undefined,
      answered: url.avaliados ? true : undefined,
    }),
    [url.busca, url.de, url.ate, url.notas, url.usuario, url.avaliados],
  )
}

function commandsOf(
  row: {
    id: number
    ticketId: number
    status: 'answered' | 'left' | 'asked' | 'expired' | 'invalid'
    evaluation: number | null
    attempts: number
    user: { id: number; name: string } | null
    queue: { id: number; queue: string } | null
    createdAt: string
    answeredAt: string | null
    contactName: string
  },
  {
    setPeeking,
    open,
    may,
  }: {
    setPeeking: (next: number | null) => void
    open: (id: number) => undefined
    may: (permission: Permission) => boolean
  },
): readonly Command[] {
  const remove = async (row: RatingRow) => {
    const sure = await confirm({
      title: t('Excluir a avaliação do atendimento {id}?', { id: row.ticketId }),
      text: t('Ela deixa de contar na média, e isto não pode ser desfeito. A conversa fica.'),
      action: t('Excluir avaliação'),
    })
    if (sure)
      await attempt(
        () => call(evaluations.remove, { params: { id: row.id } }, { quiet: true }),
        t('Avaliação excluída'),
      )
  }
  return [
    { id: 'peek', label: t('Espiar'), icon: ShowIcon, run: () => setPeeking(row.ticketId) },
    { id: 'open', label: t('Abrir no atendimento'), icon: TicketsIcon, run: () => open(row.ticketId) },
    {
      id: 'delete',
      label: t('Excluir…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () => may('ratings:delete'),
      run: () => void remove(row),
    },
  ]
}

function RatingNotes({
  list,
  may,
}: {
  list: { first: Answer<typeof evaluations.list> | undefined }
  may: (permission: Permission) => boolean
}) {
  const { first } = list
  const isOff = !isSettingOn('ratingStoreUse')
  return (
    <div className={css.notes}>
      {isOff && (
        <Notice tone="info">
          {may('ratings:write')
            ? t('Ninguém é convidado a avaliar: a pergunta está desligada em Configurar.')
            : t('Ninguém é convidado a avaliar: a pergunta está desligada.')}
        </Notice>
      )}
      {first?.summary && first.count > 0 && <Summary {...first.summary} asked={first} />}
    </div>
  )
}

function RatingFilters({
  filter,
  setUrl,
  people,
  url,
}: {
  filter: {
    rating: number[] | undefined
    user: number | undefined
    from: string | undefined
    to: string | undefined
    answered: boolean | undefined
  }
  setUrl: (next: Record<string, string | number | undefined>) => void
  people: readonly { id: number; name: string }[]
  url: Readonly<Record<string, string | undefined>>
}) {
  return (
    <>
      <ChoiceFilter
        label={t('Nota')}
        options={grades}
        chosen={filter.rating ?? []}
        onChange={(ids) => setUrl({ notas: ids.join(',') })}
      />
      <ChoiceFilter
        label={t('Usuário')}
        options={people}
        chosen={filter.user ? [filter.user] : []}
        onChange={(ids) => setUrl({ usuario: ids.at(-1) })}
      />
      <PeriodFilter from={filter.from} to={filter.to} onChange={setUrl} />
      <FilterChip
        label={t('Só avaliados')}
        active={filter.answered === true}
        onClick={() => setUrl({ avaliados: url.avaliados ? undefined : 'sim' })}
      />
    </>
  )
}
