import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { mutation, query } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, WebchatIcon } from '#web/ui/icons.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { webchatChannels } from '../addresses.ts'
import type { WebchatChannelForm } from '../contract.ts'
import { ChannelForm } from './ChannelForm.tsx'

const first = (count: number): WebchatChannelForm => ({
  name: count === 0 ? 'WebChat' : t('WebChat {count}', { count: count + 1 }),
  queueId: null,
  look: {
    title: t('Fale com a gente'),
    welcome: t('Olá! Como podemos ajudar?'),
    away: t('Respondemos assim que possível'),
    color: null,
    position: 'right',
    ...{ theme: 'auto', locale: 'auto' },
  },
  domains: [],
  requiresProof: false,
  form: { isOn: false, name: 'optional', email: 'optional', phone: 'no', cpf: 'no', consent: '' },
  absent: {
    isOn: false,
    text: t('Não estamos aqui agora. Deixe seu e-mail e sua mensagem, e respondemos assim que voltarmos.'),
  },
  openings: [],
  mails: true,
})

/** Page with the company's webchat channels: appearance, sites, code, and a live preview of each. */
export function WebchatSettings() {
  const { data, error, refetch } = useQuery(query(webchatChannels.list))
  const [chosen, choose] = useState<number | null>(null)
  const create = useMutation(mutation(webchatChannels.create, { onSuccess: ({ id }) => choose(id) }))
  const channels = data?.channels ?? []
  const channel = channels.find(({ id }) => id === chosen) ?? channels[0]
  const add = () => create.mutate({ body: first(channels.length) })

  if (error) return <LoadError text={sentence(error)} retry={refetch} />
  return (
    <Page>
      <PageHeader
        title={t('WebChat')}
        facts={data && plural(channels.length, t('canal em sites da empresa'), t('canais em sites da empresa'))}
        actions={
          channel && (
            <Button variant="default" leftSection={<AddIcon size={17} />} onClick={add} loading={create.isPending}>
              {t('Novo canal')}
            </Button>
          )
        }
      />
      {!data && <SkeletonRows kind="card" rows={3} />}
      {data && !channel && (
        <EmptyState
          title={t('Converse com quem visita seu site')}
          text={t('Um balão no canto da página abre a conversa, que chega aqui como qualquer outro atendimento.')}
          step={{ label: t('Criar o primeiro canal'), run: add, icon: <WebchatIcon size={17} /> }}
        />
      )}
      {channels.length > 1 && (
        <FilterRow>
          {channels.map(({ id, name }) => (
            <FilterChip key={id} label={name} active={id === channel?.id} onClick={() => choose(id)} />
          ))}
        </FilterRow>
      )}
      {channel && <ChannelForm key={channel.id} channel={channel} mailer={data?.mailer ?? null} />}
    </Page>
  )
}
