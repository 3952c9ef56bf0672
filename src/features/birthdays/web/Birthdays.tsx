import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { contactEvents } from '#features/ledger/event-addresses.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ContactsIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { shownOf } from '#web/ui/inputs/mask.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { birthdays } from '../addresses.ts'
import type { BirthdayRow } from '../contract.ts'
import { SettingCards } from './SettingCards.tsx'

const SendDialog = lazyPart(async () => (await import('./SendDialog.tsx')).SendDialog)

const ranges = [
  ['today', t('Hoje')],
  ['week', t('7 dias')],
  ['month', t('31 dias')],
] as const
type Range = (typeof ranges)[number][0]

/** Page of birthdays today, this week or month, with this year's greetings, and the automatic greeting settings. */
export function Birthdays() {
  const [url, setUrl] = useUrlState()
  const may = useMay()
  const range = ranges.find(([key]) => key === url.quando)?.[0] ?? ('today' satisfies Range)
  const list = useBirthdays(range)
  const [chosen, setChosen] = useState<readonly BirthdayRow[] | null>(null)
  const waiting = list.rows.filter(({ days, greeting }) => days === 0 && greeting?.code !== '')
  return (
    <Page>
      <PageHeader
        title={t('Aniversários')}
        facts={list.first && plural(list.first.count, t('aniversariante'), t('aniversariantes'))}
        actions={
          may('birthdays:send') && (
            <Button disabled={waiting.length === 0} onClick={() => setChosen(waiting)}>
              {t('Enviar parabéns')}
            </Button>
          )
        }
      />
      <FilterRow>
        {ranges.map(([key, label]) => (
          <FilterChip key={key} label={label} active={key === range} onClick={() => setUrl({ quando: key })} />
        ))}
      </FilterRow>
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && list.rows.length === 0 && (
        <EmptyState
          title={t('Ninguém faz aniversário')}
          text={t('Quem tem a data de aniversário no cadastro aparece aqui no seu dia.')}
        />
      )}
      {list.rows.length > 0 && <People list={list} onSend={(row) => setChosen([row])} />}
      {may('birthdays:write') && <Automatic />}
      {chosen && <SendDialog people={chosen} onClose={() => setChosen(null)} />}
    </Page>
  )
}

const useBirthdays = (range: Range) =>
  useList(birthdays.list, (page) => page.birthdays, { range }, [contactEvents.update])

/** Table of the people, with their actions. */
function People(props: { list: ReturnType<typeof useBirthdays>; onSend: (row: BirthdayRow) => void }) {
  const { list, onSend } = props
  const may = useMay()
  const navigate = useNavigate()
  return (
    <DataTable
      label={t('Aniversários')}
      rows={list.rows}
      rowKey={(row) => row.id}
      columns={columns}
      onEnd={list.onEnd}
      commands={(row) => [
        {
          id: 'contact',
          label: t('Ver contato'),
          icon: ContactsIcon,
          when: () => may('contacts:read'),
          run: () => void navigate({ to: '/contatos', search: { id: row.id } }),
        },
        {
          id: 'send',
          label: t('Enviar parabéns'),
          when: () => may('birthdays:send') && row.days === 0 && row.greeting?.code !== '',
          run: () => onSend(row),
        },
      ]}
    />
  )
}

function Automatic() {
  const { data, error, refetch } = useQuery(query(birthdays.settings))
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return data && data.settings.length > 0 ? <SettingCards settings={data.settings} /> : null
}

const columns = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row: BirthdayRow) => (
      <NameCell
        picture={<Avatar id={row.id} name={row.name} src={row.profilePicUrl} size={34} />}
        name={row.name}
        detail={formatPhone(row.number)}
      />
    ),
  },
  {
    key: 'day',
    title: t('Aniversário'),
    cell: (row: BirthdayRow) => (
      <span className="g-num">{`${shownOf('data', row.birthdayDate).slice(0, 5)} · ${whenOf(row.days)}`}</span>
    ),
  },
  {
    key: 'age',
    title: t('Idade'),
    cell: (row: BirthdayRow) => plural(row.age, t('ano'), t('anos')),
  },
  {
    key: 'greeting',
    title: t('Parabéns deste ano'),
    cell: ({ greeting, blocked }: BirthdayRow) => {
      if (greeting?.code === '') return <Pill tone="pos">{t('Enviados')}</Pill>
      if (greeting) return <Pill tone="warn">{greeting.text}</Pill>
      return blocked ? <Pill tone="neg">{t('Bloqueado')}</Pill> : null
    },
  },
]

const whenOf = (days: number) =>
  days === 0 ? t('hoje') : days === 1 ? t('amanhã') : t('em {count}', { count: plural(days, t('dia'), t('dias')) })
