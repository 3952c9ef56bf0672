import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { loadOfContact } from '#features/attendance/web/index.ts'
import { ticketEvents } from '#features/ledger/event-addresses.ts'
import { startSettingsLive } from '#features/settings/web/index.ts'
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
  const [peeking, setPeeking] = useState<number | null>(null)
  const navigate = useNavigate()
  const may = useMay()
  const filter = useFilter()
  const list = useRatings(filter)
  const open = (id: number) => void navigate({ to: `/atendimento/${id}` })

  return (
    <ListScreen
      title={t('Avaliações')}
      nouns={[t('avaliação pedida'), t('avaliações pedidas')]}
      list={list}
      search={t('Contato ou atendimento')}
      filters={<Filters filter={filter} />}
      filterNames={['notas', 'usuario', 'de', 'ate', 'avaliados']}
      empty={{
        title: t('Nenhuma avaliação'),
        text: t('Quando um atendimento é resolvido, o cliente é convidado a dar uma nota, e ela aparece aqui.'),
      }}
      file={file}
      actions={may('ratings:write') && <SettingsLink />}
      note={<Notes first={list.first} mayWrite={may('ratings:write')} />}
      table={{
        columns,
        rowKey: (row) => row.id,
        onOpen: (row) => setPeeking(row.ticketId),
        commands: (row) => [
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
        ],
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

type Filter = ReturnType<typeof useFilter>

/** Returns the filters in the address, as the list takes them. */
function useFilter() {
  const [url] = useUrlState()
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

const useRatings = (filter: Filter) =>
  useList(evaluations.list, (page) => page.ticketEvaluations, filter, [ticketEvents.rated])

/** Filters of the list, kept in the address. */
function Filters({ filter }: { filter: Filter }) {
  const [url, setUrl] = useUrlState()
  const people = useQuery(choices('users', { assignable: true })).data ?? []
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

function SettingsLink() {
  return (
    <Button variant="default" leftSection={<SettingsIcon size={17} />} component={Link} to={'/avaliacoes/configurar'}>
      {t('Configurar')}
    </Button>
  )
}

/** What is shown above the list: that nothing is asked, and the summary. */
function Notes(props: { first: ReturnType<typeof useRatings>['first']; mayWrite: boolean }) {
  const { first, mayWrite } = props
  const isOff = !isSettingOn('ratingStoreUse')
  return (
    <div className={css.notes}>
      {isOff && (
        <Notice tone="info">
          {mayWrite
            ? t('Ninguém é convidado a avaliar: a pergunta está desligada em Configurar.')
            : t('Ninguém é convidado a avaliar: a pergunta está desligada.')}
        </Notice>
      )}
      {first?.summary && first.count > 0 && <Summary {...first.summary} asked={first} />}
    </div>
  )
}

const remove = async (row: RatingRow) => {
  const sure = await confirm({
    title: t('Excluir a avaliação do atendimento {id}?', { id: row.ticketId }),
    text: t('Ela deixa de contar na média, e isto não pode ser desfeito. A conversa fica.'),
    action: t('Excluir avaliação'),
  })
  if (sure)
    await attempt(() => call(evaluations.remove, { params: { id: row.id } }, { quiet: true }), t('Avaliação excluída'))
}
