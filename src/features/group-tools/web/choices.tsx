import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { useLive } from '#web/resource/use-list.ts'
import { plural, t } from '#web/t.ts'
import { groupToolEvents, groupTools } from '../addresses.ts'
import type { ToolGroup } from '../contract.ts'
import type { Problems } from './start.ts'

/** Returns the channels whose groups can be listed and changed. */
export const useGroupChannels = () =>
  useChoices('connections').filter(({ type, isAllowed }) => isAllowed && capabilitiesOf(type).groupTools)

/** Returns the chosen channel; initially the first one. */
export function useChannel(): [number | null, (id: number) => void] {
  const channels = useGroupChannels()
  const [chosen, setChosen] = useState<number | null>(null)
  return [chosen ?? channels[0]?.id ?? null, setChosen]
}

/** Choice of the channel. */
export function ChannelChoice(props: {
  value: number | null
  onChange: (id: number) => void
  label?: string
  error?: string | undefined
  required?: boolean
}) {
  const { value, onChange, label, error, required = false } = props
  const channels = useGroupChannels()
  return (
    <Select
      {...(label ? { label } : { 'aria-label': t('Canal') })}
      placeholder={channels.length > 0 ? t('Escolha o canal') : t('Nenhum canal com grupos')}
      required={required}
      allowDeselect={false}
      data={channels.map((one) => ({ value: String(one.id), label: one.name }))}
      value={value === null ? null : String(value)}
      error={error}
      onChange={(id) => id && onChange(Number(id))}
    />
  )
}

/** Asks a channel for its groups. */
export const refreshGroups = (whatsappId: number) =>
  attempt(() => call(groupTools.refresh, { body: { whatsappId } }, { long: true, quiet: true }))

/** Returns the stored groups of a channel; a channel that was never read is read once. */
export function useGroups(whatsappId: number | null): readonly ToolGroup[] {
  const { data, isSuccess } = useQuery({
    ...choicesOf(groupTools.list, (page) => page.groups, { whatsappId: whatsappId ?? 0 }),
    enabled: whatsappId !== null,
  })
  useLive(groupTools.list.family, [groupToolEvents.changed])
  const isUnknown = isSuccess && data.length === 0
  useEffect(() => {
    if (isUnknown && whatsappId !== null)
      void call(groupTools.refresh, { body: { whatsappId } }, { long: true, quiet: true }).catch(() => {})
  }, [isUnknown, whatsappId])
  return data ?? []
}

const nameOf = ({ name, role }: ToolGroup): string =>
  role === 'member' ? t('{name} (sem administração)', { name }) : name

/** Choice of a channel's groups. */
function GroupsChoice(props: {
  groups: readonly ToolGroup[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  error?: string | undefined
}) {
  const { groups, chosen, onChange, error } = props
  const [search, setSearch] = useState('')
  return (
    <MultiSelect
      label={t('Grupos')}
      required
      description={
        chosen.length > 0
          ? plural(chosen.length, t('grupo escolhido'), t('grupos escolhidos'))
          : t('Só muda o grupo em que o número do canal é administrador.')
      }
      placeholder={t('Adicionar…')}
      searchable
      hidePickedOptions
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={search ? t('Nenhum grupo com esse nome') : undefined}
      limit={100}
      error={error}
      data={groups.map((one) => ({ value: one.id, label: nameOf(one) }))}
      value={[...chosen]}
      onChange={onChange}
    />
  )
}

/** State of a change's target: a channel and some of its groups; a new channel resets the groups. */
export function useTarget() {
  const [whatsappId, setChannel] = useChannel()
  const [groupIds, setGroups] = useState<readonly string[]>([])
  const choose = (id: number) => {
    setChannel(id)
    setGroups([])
  }
  return { whatsappId, groupIds, groups: useGroups(whatsappId), choose, setGroups }
}

/** Form fields of `useTarget`. */
export function TargetChoice(props: { target: ReturnType<typeof useTarget>; problems: Problems }) {
  const { target, problems } = props
  return (
    <>
      <ChannelChoice
        label={t('Canal')}
        required
        value={target.whatsappId}
        error={problems['whatsappId']}
        onChange={target.choose}
      />
      <GroupsChoice
        groups={target.groups}
        chosen={target.groupIds}
        error={problems['groupIds']}
        onChange={target.setGroups}
      />
    </>
  )
}

/** Choice of one group of a channel. */
export function GroupChoice(props: {
  groups: readonly ToolGroup[]
  value: string
  onChange: (id: string) => void
  error?: string | undefined
}) {
  const { groups, value, onChange, error } = props
  return (
    <Select
      label={t('Grupo')}
      required
      searchable
      limit={100}
      allowDeselect={false}
      nothingFoundMessage={t('Nenhum grupo com esse nome')}
      data={groups.map((one) => ({ value: one.id, label: nameOf(one) }))}
      value={value || null}
      error={error}
      onChange={(id) => id && onChange(id)}
    />
  )
}
