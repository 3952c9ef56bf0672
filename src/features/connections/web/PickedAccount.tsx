import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memberOf } from '#domain/present.ts'
import type { ProviderFields, ProviderValues } from '#kit/provider.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { providers } from '../provider-addresses.ts'
import type { ProviderAccount } from '../providers-contract.ts'

const nameOf = ({ name, type, account }: ProviderAccount): string => `${channelLook(type).name} · ${name || account}`

/** Choice of a connection's account among those that the provider's key gives access to. */
export function PickedAccount(props: {
  config: ChannelConfig & Required<Pick<ChannelConfig, 'picked'>>
  /** Id of the changed connection; null for a new one. */
  id: number | null
  fields: ProviderFields
  values: Readonly<Record<string, unknown>>
  errors: Readonly<Record<string, string>>
  onPick: (values: ProviderValues, name: string) => void
}) {
  const { config, id, fields, values, errors, onPick } = props
  const listed = useQuery({ ...query(providers.accounts, { query: { provider: config.id } }), gcTime: 0, retry: false })
  const accounts = listed.data?.accounts ?? []
  const isChosen = (one: ProviderAccount) => Object.keys(fields).every((name) => one.values[name] === values[name])
  const chosen = accounts.find(isChosen)
  const isTaken = ({ whatsappId }: ProviderAccount) => whatsappId !== null && whatsappId !== id
  const error = Object.keys(fields)
    .map((name) => errors[name])
    .find(Boolean)
  const account = String(values[Object.keys(fields).find((name) => memberOf(fields, name).isAccount) ?? ''] ?? '')
  return (
    <>
      <Select
        label={config.picked.label}
        required
        searchable
        allowDeselect={false}
        placeholder={listed.isPending ? t('Buscando…') : t('Escolha um')}
        nothingFoundMessage={t('Nada com este nome')}
        disabled={listed.isPending || accounts.length === 0}
        data={accounts.map((one) => ({
          value: one.account,
          label: isTaken(one) ? t('{name} (já é um canal)', { name: nameOf(one) }) : nameOf(one),
          disabled: isTaken(one),
        }))}
        value={chosen?.account ?? null}
        error={error}
        onChange={(value) => {
          const one = accounts.find((other) => other.account === value)
          if (one) onPick(one.values, nameOf(one))
        }}
      />
      <div aria-live="polite">
        {listed.data?.problem && <Notice tone="neg">{listed.data.problem}</Notice>}
        {listed.data?.problem === null && accounts.length === 0 && (
          <Notice tone="warn">{t('A conta ainda não tem canais. Crie um no painel do provedor.')}</Notice>
        )}
        {listed.isSuccess && account !== '' && !chosen && accounts.length > 0 && (
          <Notice tone="warn">{t('O canal escolhido antes não está mais na conta do provedor.')}</Notice>
        )}
        {listed.error && <Notice tone="neg">{sentence(listed.error)}</Notice>}
      </div>
    </>
  )
}
