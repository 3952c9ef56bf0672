import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { STATE_OF_DDD } from '#domain/phone/brazil.ts'
import { useChoices } from '#web/choices.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { namedReports } from '../addresses.ts'
import type { ReportContact } from '../contract.ts'
import { CONTACT_FILTER_NAMES, Generate, useFilters } from './chosen.tsx'
import { sheetOf } from './printed.ts'
import { ReportActions } from './ReportActions.tsx'

/** Kinds of contact reports, with their filters and columns. */
export type ContactsBy = 'period' | 'tags' | 'state' | 'kanban' | 'wallets'

type TextColumn = { key: string; title: string; text: (row: ReportContact) => string }

const usual: readonly TextColumn[] = [
  { key: 'name', title: t('Nome'), text: (row) => row.name },
  { key: 'number', title: t('WhatsApp'), text: (row) => row.number ?? '' },
  { key: 'email', title: t('Email'), text: (row) => row.email },
]
const own: Readonly<Record<ContactsBy, { title: string; column: TextColumn }>> = {
  period: {
    title: t('Contatos'),
    column: {
      key: 'extra',
      title: t('Informações Extras'),
      text: (row) => row.extraInfo.map(({ name, value }) => `${name}: ${value}`).join(' · '),
    },
  },
  tags: {
    title: t('Contatos por Etiqueta'),
    column: { key: 'tags', title: t('Etiquetas'), text: (row) => row.tags.join(', ') },
  },
  state: {
    title: t('Contatos por Estado'),
    column: { key: 'state', title: t('Estado'), text: (row) => row.state ?? '' },
  },
  kanban: {
    title: t('Contatos por Kanban'),
    column: { key: 'kanban', title: t('Kanbans'), text: (row) => row.kanban ?? '' },
  },
  wallets: {
    title: t('Contatos por Carteira'),
    column: { key: 'wallets', title: t('Carteiras'), text: (row) => row.wallets.join(', ') },
  },
}
const ad: TextColumn = { key: 'ad', title: t('Anúncio'), text: (row) => row.ad ?? '' }
const created: TextColumn = { key: 'createdAt', title: t('Criado em'), text: (row) => formatDateTime(row.createdAt) }
const DDDS = [...STATE_OF_DDD].map(([ddd, state]) => ({ id: ddd, name: t('{ddd} ({state})', { ddd, state }) }))

const ADS = [
  { id: 'true', name: t('Vieram de um anúncio') },
  { id: 'false', name: t('Não vieram de anúncio') },
]

const idsIn = (text: string | undefined) => text?.split(',').filter(Boolean).map(Number)

/** Report of contacts. */
export function ContactsReport({ by }: { by: ContactsBy }) {
  const [url] = useUrlState()
  const navigate = useNavigate()
  const filter = useMemo(
    () => ({
      startDate: url.de,
      endDate: url.ate,
      ...(url.anuncio === undefined ? {} : { fromAd: url.anuncio === 'true' }),
      ...(by === 'tags' ? { tags: idsIn(url.etiquetas) } : {}),
      ...(by === 'state' ? { ddds: url.ddds?.split(',').filter(Boolean) } : {}),
      ...(by === 'kanban' ? { kanban: idsIn(url.etapas) } : {}),
      ...(by === 'wallets' ? { wallets: idsIn(url.carteiras) } : {}),
    }),
    [by, url.de, url.ate, url.anuncio, url.etiquetas, url.ddds, url.etapas, url.carteiras],
  )
  const list = useList(namedReports.contacts, (page) => page.contacts, filter)
  const { title, column } = own[by]
  const texts = [...usual, column, ad, created]
  const columns: readonly Column<ReportContact>[] = texts.map(({ key, title: name, text }) => ({
    key,
    title: name,
    cell: text,
  }))
  return (
    <ListScreen
      title={title}
      nouns={[t('contato'), t('contatos')]}
      list={list}
      filters={<ReportNarrowing by={by} />}
      filterNames={CONTACT_FILTER_NAMES}
      empty={{ title: t('Nenhum contato'), text: t('Os contatos da empresa aparecem aqui.') }}
      actions={
        <ReportActions
          title={title}
          report="contacts"
          filter={filter}
          sheet={() =>
            sheetOf(
              list,
              texts.map((one) => [one.title, one.text]),
            )
          }
        />
      }
      table={{
        columns,
        rowKey: (row) => row.id,
        hrefOf: ({ id }) => `/contatos?id=${id}`,
        onOpen: ({ id }) => void navigate({ to: '/contatos', search: { id } }),
      }}
    />
  )
}

function ReportNarrowing({ by }: { by: ContactsBy }) {
  const { url, setUrl } = useFilters()
  return (
    <>
      <Narrowing by={by} />
      <ChoiceFilter
        label={t('Anúncio')}
        options={ADS}
        chosen={url.anuncio ? [url.anuncio] : []}
        onChange={(ids) => setUrl({ anuncio: ids.at(-1) })}
      />
      <PeriodFilter from={url.de} to={url.ate} onChange={setUrl} />
      <Generate />
    </>
  )
}

function Narrowing({ by }: { by: ContactsBy }) {
  const { url, setUrl } = useFilters()
  const set = (name: string) => (ids: readonly (string | number)[]) => setUrl({ [name]: ids.join(',') || undefined })
  const tags = useChoices('tags')
  const stages = useChoices('stages')
  const users = useChoices('users')
  if (by === 'tags')
    return (
      <ChoiceFilter
        label={t('Etiquetas')}
        options={tags}
        chosen={idsIn(url.etiquetas) ?? []}
        onChange={set('etiquetas')}
      />
    )
  if (by === 'state')
    return (
      <ChoiceFilter
        label={t('DDD')}
        options={DDDS}
        chosen={url.ddds?.split(',').filter(Boolean) ?? []}
        onChange={set('ddds')}
      />
    )
  if (by === 'kanban')
    return (
      <ChoiceFilter label={t('Etapas')} options={stages} chosen={idsIn(url.etapas) ?? []} onChange={set('etapas')} />
    )
  if (by === 'wallets')
    return (
      <ChoiceFilter
        label={t('Carteiras')}
        options={users}
        chosen={idsIn(url.carteiras) ?? []}
        onChange={set('carteiras')}
      />
    )
  return null
}
