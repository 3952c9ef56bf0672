import { MultiSelect, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { present } from '#domain/present.ts'
import { channelType } from '#providers/channels/configs.ts'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import { groupForm } from '../forms.ts'
import { groupable } from './groupable.ts'
import { NewDrawer } from './NewDrawer.tsx'

const idsOf = (phones: readonly LabPhone[] = []): number[] => phones.map(({ id }) => id)

/** Form of a new group, prefilled with every possible member of its channel so that one click suffices. */
export function NewGroup(props: {
  phones: readonly LabPhone[]
  /** Selected phone; the group is one of its channel if that supports groups. */
  of: LabPhone | undefined
  onClose: () => void
  onMade: (phone: LabPhone) => void
}) {
  const { phones, of, onClose, onMade } = props
  const channels = groupable(phones)
  const first = of && channels.has(of.connectionId) ? of.connectionId : [...channels.keys()][0]
  const start = { name: t('Grupo da família'), phoneIds: idsOf(channels.get(first ?? 0)) }
  const form = useForm(start, groupForm)
  const { values, errors, set, check, refuse } = form
  const chosen = phones.find(({ id }) => id === values.phoneIds[0])?.connectionId ?? first
  const make = useMutation(mutation(lab.createGroup, { onSuccess: onMade, onError: (error) => refuse(error) }))
  return (
    <NewDrawer
      form={form}
      title={t('Novo grupo')}
      sub={t('Os telefones escolhidos conversam entre si e com o atendimento')}
      avatar={<Avatar id={values.name} name={values.name} size={44} />}
      label={t('Nome do grupo')}
      saveLabel={t('Criar grupo')}
      busy={make.isPending}
      onSave={() => check() && make.mutate({ body: values })}
      onClose={onClose}
    >
      {channels.size > 1 && (
        <Select
          label={t('Canal')}
          required
          allowDeselect={false}
          data={[...channels].map(([id, [phone]]) => ({
            value: String(id),
            label: channelType(present(phone).type)?.name ?? present(phone).type,
          }))}
          value={String(chosen)}
          onChange={(id) => set('phoneIds', idsOf(channels.get(Number(id))))}
        />
      )}
      <MultiSelect
        label={t('Participantes')}
        required
        data={(channels.get(chosen ?? 0) ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.phoneIds.map(String)}
        error={errors.phoneIds}
        description={t('O primeiro administra o grupo.')}
        onChange={(ids) => set('phoneIds', ids.map(Number))}
      />
    </NewDrawer>
  )
}
