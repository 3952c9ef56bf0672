import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { STATE_OF_DDD } from '#domain/phone/brazil.ts'
import { type Choices, choices, useChoices } from '#web/choices.ts'
import { OwnFieldFilters } from '#web/fields/OwnFieldFilters.tsx'
import { namesOfField } from '#web/fields/own-field-names.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { MoreFilters } from '#web/ui/layout/MoreFilters.tsx'
import type { SetUrl, Url } from '#web/url-state.ts'
import { idsOf, textOf } from './contact-filter.ts'
import { DaysFilter } from './DaysFilter.tsx'

/** Filters of the contact list, all stored in the URL. */
export function ContactFilters(props: { url: Url; setUrl: SetUrl; fields: readonly Choices['contactFields'][] }) {
  const { url, setUrl, fields } = props
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  const stages = useChoices('stages')
  const { data: answered = [] } = useQuery({ ...choices('campaigns'), enabled: useMay()('campaigns:write') })
  const list = (label: string, name: string, options: readonly { id: number; name: string; color?: string }[]) => (
    <ChoiceFilter
      label={label}
      options={options}
      chosen={idsOf(url[name])}
      onChange={(ids) => setUrl({ [name]: textOf(ids) })}
    />
  )
  return (
    <>
      {list(t('Etiqueta'), 'etiqueta', tags)}
      {list(t('Carteira'), 'carteira', colleagues)}
      {stages.length > 0 && list(t('Etapa'), 'etapa', stages)}
      <ChoiceFilter
        label={t('Situação')}
        options={STATES}
        chosen={STATES.flatMap(({ id }) => (url[stateOf(id)[0]] === stateOf(id)[1] ? [id] : []))}
        onChange={(ids) => setUrl({ ...noState, ...Object.fromEntries(ids.map(stateOf)) })}
      />
      <ChoiceFilter
        label={t('Estado')}
        options={REGIONS}
        chosen={url['estado']?.split(',') ?? []}
        onChange={(ids) => setUrl({ estado: ids.join(',') || undefined })}
      />
      <DaysFilter label={t('Criado')} spans={CREATED} value={url['criado']} onChange={(criado) => setUrl({ criado })} />
      <OtherFilters url={url} setUrl={setUrl} list={list} answered={answered} fields={fields} />
    </>
  )
}

function OtherFilters(props: {
  url: Url
  setUrl: SetUrl
  list: (label: string, name: string, options: readonly { id: number; name: string; color?: string }[]) => ReactNode
  answered: { id: number; name: string }[]
  fields: readonly Choices['contactFields'][]
}) {
  const { url, setUrl, list, answered, fields } = props
  const isSet = (name: string) => Boolean(url[name])
  return (
    <MoreFilters
      filters={[
        {
          key: 'conversa',
          isSet: isSet('conversa'),
          filter: (
            <DaysFilter
              label={t('Última conversa')}
              spans={TALKED}
              value={url['conversa']}
              onChange={(conversa) => setUrl({ conversa })}
            />
          ),
        },
        { key: 'aniversario', isSet: isSet('aniversario'), filter: list(t('Aniversário'), 'aniversario', MONTHS) },
        ...(answered.length > 0 ? CAMPAIGNS : []).map(([key, label]) => ({
          key,
          isSet: isSet(key),
          filter: list(label, key, answered),
        })),
        ...fields.map((field) => ({
          key: `campo ${field.id}`,
          isSet: namesOfField(field).some(isSet),
          filter: <OwnFieldFilters {...{ url, setUrl, fields: [field] }} />,
        })),
      ]}
    />
  )
}

const REGIONS = [...new Set(STATE_OF_DDD.values())].toSorted().map((id) => ({ id, name: id }))
const CAMPAIGNS = [
  ['respondeu', t('Respondeu à campanha')],
  ['naorespondeu', t('Não respondeu à campanha')],
] as const
const MONTHS = Array.from({ length: 12 }, (_, month) => ({
  id: month + 1,
  name: new Date(2000, month).toLocaleString('pt-BR', { month: 'long' }),
}))
const CREATED = [
  [t('nos últimos 7 dias'), '-7..'],
  [t('nos últimos 30 dias'), '-30..'],
  [t('nos últimos 90 dias'), '-90..'],
] as const
const TALKED = [
  [t('nos últimos 30 dias'), '-30..'],
  [t('há mais de 30 dias'), '..-31'],
  [t('há mais de 90 dias'), '..-91'],
  [t('há mais de 180 dias'), '..-181'],
] as const

// Boolean filters in the URL; of two that exclude each other the last one chosen wins.
const STATES = [
  { id: 'bloqueado true', name: t('Bloqueados') },
  { id: 'bloqueado false', name: t('Não bloqueados') },
  { id: 'semchatbot true', name: t('Com o chatbot bloqueado') },
  { id: 'grupo false', name: t('Só pessoas') },
  { id: 'grupo true', name: t('Só grupos') },
  { id: 'anuncio true', name: t('Vieram de um anúncio') },
  { id: 'anuncio false', name: t('Não vieram de anúncio') },
] as const
const noState = { bloqueado: undefined, semchatbot: undefined, grupo: undefined, anuncio: undefined }
const stateOf = (id: string) => id.split(' ') as [name: string, value: string]
