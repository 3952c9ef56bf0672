import { MultiSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import { groupForm } from '../forms.ts'
import { groupable } from './groupable.ts'
import { NewDrawer } from './NewDrawer.tsx'

/** The form of a new group; everybody who can be in one is in it already, so that one click is enough. */
export function NewGroup(props: {
  phones: readonly LabPhone[]
  onClose: () => void
  onMade: (phone: LabPhone) => void
}) {
  const { phones, onClose, onMade } = props
  const ofOne = groupable(phones)
  const start = { name: t('Grupo da família'), phoneIds: ofOne.map(({ id }) => id) }
  const form = useForm(start, groupForm)
  const { values, errors, set, check, refuse } = form
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
      <MultiSelect
        label={t('Participantes')}
        required
        data={ofOne.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.phoneIds.map(String)}
        error={errors.phoneIds}
        description={t('O primeiro administra o grupo.')}
        onChange={(ids) => set('phoneIds', ids.map(Number))}
      />
    </NewDrawer>
  )
}
