import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { channelType, channelTypes } from '#providers/channels/configs.ts'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { MaskedInput } from '#web/ui/inputs/fields.tsx'
import { type FieldErrors, type SetField, useForm } from '#web/ui/inputs/use-form.ts'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import { phoneForm } from '../forms.ts'
import { drawnAs } from './drawn-as.ts'
import { NewDrawer } from './NewDrawer.tsx'

const people = [
  t('Otávio Rezende'),
  t('Nádia Ferraz'),
  t('Wesley Cardoso'),
  t('Tainá Guimarães'),
  t('Sônia Takahashi'),
  t('Marlene Souza'),
]

type Values = { name: string; number: string; type: string }

/** Returns a name and a mobile number that no phone has yet. */
function suggestion(phones: readonly LabPhone[]): Values {
  const free = people.filter((name) => !phones.some((phone) => phone.name === name))
  const last = String(1000 + Math.floor(Math.random() * 9000))
  return {
    name: free[0] ?? t('Cliente {n}', { n: phones.length + 1 }),
    number: `(19) 99${last.slice(0, 3)}-${last}`,
    type: 'lab',
  }
}

const isMail = (type: string): boolean => channelType(type)?.config.capabilities.threads ?? false
const addressFor = (name: string): string =>
  `${
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .trim()
      .replace(/[^a-z0-9]+/g, '.') || 'cliente'
  }@cliente.example`

// Channel whose numbers are linked by a code that a phone here scans.
const LINKED = 'baileys'

// A channel with a screen has its own far end; the lab's channel has these phones.
const channels = channelTypes().filter(({ type, config }) => type === 'lab' || !config.screen)

/** Form of a new phone, prefilled with name and number so that one click suffices. */
export function NewPhone(props: {
  phones: readonly LabPhone[]
  onClose: () => void
  onMade: (phone: LabPhone) => void
}) {
  const { phones, onClose, onMade } = props
  const form = useForm(suggestion(phones), phoneForm)
  const { values, errors, set, check, refuse } = form
  const make = useMutation(
    mutation(lab.create, {
      onSuccess: onMade,
      onError: (error) => refuse(error, ['number', t('Já há um telefone com este número.')]),
    }),
  )
  return (
    <NewDrawer
      form={form}
      title={t('Novo telefone')}
      sub={t('Virtual, no canal que você escolher')}
      avatar={<Avatar id={values.name} name={values.name} channel={drawnAs(values.type)} size={44} />}
      label={t('De quem é')}
      description={t('O nome com que o contato aparece no atendimento.')}
      saveLabel={t('Criar telefone')}
      busy={make.isPending}
      onSave={() => check() && make.mutate({ body: values })}
      onClose={onClose}
    >
      {channels.length > 1 && <ChannelSelect phones={phones} values={values} errors={errors} set={set} />}
      <AddressField values={values} errors={errors} set={set} />
    </NewDrawer>
  )
}

type FieldProps = { values: Values; errors: FieldErrors; set: SetField<Values> }

function AddressField({ values, errors, set }: FieldProps) {
  return isMail(values.type) ? (
    <TextInput
      label={t('E-mail')}
      required
      autoComplete="off"
      value={values.number}
      error={errors.number}
      description={t('Basta ter o formato de um e-mail; nada é enviado de verdade.')}
      onChange={(event) => set('number', event.currentTarget.value)}
    />
  ) : (
    <MaskedInput
      mask="celular"
      label={t('Celular com DDD')}
      required
      value={values.number}
      error={errors.number}
      description={t('Basta ter o formato de um celular brasileiro; nada é enviado de verdade.')}
      onChange={(number) => set('number', number)}
    />
  )
}

function ChannelSelect({ phones, values, errors, set }: FieldProps & { phones: readonly LabPhone[] }) {
  const choose = (type: string) => {
    set('type', type)
    // The field holds a number or a mail address; it is replaced if the kind of channel changes.
    if (isMail(type) !== isMail(values.type))
      set('number', isMail(type) ? addressFor(values.name) : suggestion(phones).number)
  }
  return (
    <Select
      label={t('Canal')}
      required
      allowDeselect={false}
      data={channels.map(({ type, name }) => ({ value: type, label: name }))}
      value={values.type}
      error={errors.type}
      description={
        values.type === LINKED
          ? t('Um WhatsApp do laboratório: o primeiro telefone cria um número, que se liga pelo código.')
          : t('No atendimento, as conversas aparecem e funcionam como as deste canal.')
      }
      onChange={(type) => type && choose(type)}
    />
  )
}
