import { MultiSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import { groupForm } from '../forms.ts'

/** The form of a new group; everybody who can be in one is in it already, so that one click is enough. */
export function NewGroup(props: {
  phones: readonly LabPhone[]
  onClose: () => void
  onMade: (phone: LabPhone) => void
}) {
  const { phones, onClose, onMade } = props
  const able = phones.filter(({ isGroup, type }) => !isGroup && capabilitiesOf(type).groups)
  const ofOne = able.filter(({ connectionId }) => connectionId === able[0]?.connectionId)
  const start = { name: t('Grupo da família'), phoneIds: ofOne.map(({ id }) => id) }
  const { values, errors, changed, set, check, refuse } = useForm(start, groupForm)
  const make = useMutation(mutation(lab.createGroup, { onSuccess: onMade, onError: (error) => refuse(error) }))
  return (
    <FormDrawer
      opened
      onClose={onClose}
      onSave={() => check() && make.mutate({ body: values })}
      title={t('Novo grupo')}
      sub={t('Os telefones escolhidos conversam entre si e com o atendimento')}
      avatar={<Avatar id={values.name} name={values.name} size={44} />}
      changed={changed.length}
      busy={make.isPending}
      saveLabel={t('Criar grupo')}
      size={480}
    >
      <TextInput
        label={t('Nome do grupo')}
        required
        data-autofocus
        value={values.name}
        error={errors.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <MultiSelect
        label={t('Participantes')}
        required
        data={ofOne.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.phoneIds.map(String)}
        error={errors.phoneIds}
        description={t('O primeiro administra o grupo.')}
        onChange={(ids) => set('phoneIds', ids.map(Number))}
      />
    </FormDrawer>
  )
}
