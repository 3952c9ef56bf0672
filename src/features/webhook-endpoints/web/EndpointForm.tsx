import { MultiSelect, Switch } from '@mantine/core'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { webhookEndpoints } from '../addresses.ts'
import type { WebhookEndpoint } from '../contract.ts'
import { endpointForm } from '../forms.ts'
import { offeredEvents } from './event-names.ts'

type Values = {
  name: string
  url: string
  events: readonly string[]
  isActive: boolean
  authorization: string
  connectionIds: readonly number[]
  queueIds: readonly number[]
}

const empty: Values = {
  ...{ name: '', url: '', events: ['*'], isActive: true, authorization: '' },
  ...{ connectionIds: [], queueIds: [] },
}
const MASK = '••••••••'

const valuesOf = (row: WebhookEndpoint): Values => ({
  ...{ name: row.name, url: row.url, events: row.events, isActive: row.isActive },
  authorization: row.hasAuthorization ? MASK : '',
  ...{ connectionIds: row.connectionIds, queueIds: row.queueIds },
})

// The stored authorization is kept; an empty field removes it.
const bodyOf = ({ name, authorization, events, connectionIds, queueIds, ...rest }: Values) => ({
  ...rest,
  ...(name === '' ? {} : { name }),
  ...(authorization === MASK ? {} : { authorization: authorization || null }),
  ...{ events: [...events], connectionIds: [...connectionIds], queueIds: [...queueIds] },
})
const checker = { safeParse: (values: unknown) => endpointForm.safeParse(bodyOf(values as Values)) }

/** Drawer of one endpoint: `id` of the row, or 'novo'; `onMade` gets the secret of a new one. */
export function EndpointForm(props: { id: string; onMade: (secret: string) => void; onClose: () => void }) {
  const { id, onMade, onClose } = props
  const isNew = id === 'novo'
  const row = useRow(webhookEndpoints.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker,
    onClose,
  })
  const send = async () => {
    const body = bodyOf(values)
    if (isNew) onMade((await call(webhookEndpoints.create, { body }, { quiet: true })).secret)
    else await call(webhookEndpoints.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Webhook salvo')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo webhook') : (row.data?.name ?? t('Webhook'))}
      size={540}
    >
      <FieldInput
        field={{ kind: 'text', label: t('Endereço'), hint: t('Recebe um POST com JSON a cada evento.'), max: 2000 }}
        autoFocus
        value={values.url}
        error={errors['url']}
        onChange={(next) => set('url', next)}
      />
      <FieldInput
        field={{ kind: 'text', label: t('Nome'), hint: t('Vazio: o servidor do endereço.'), max: 60 }}
        value={values.name}
        error={errors['name']}
        onChange={(next) => set('name', next)}
      />
      <Switch
        label={t('Ligado')}
        description={t('Desligado, nada é enviado, e o que acontecer nesse tempo não é guardado.')}
        checked={values.isActive}
        onChange={(change) => set('isActive', change.currentTarget.checked)}
      />
      <NarrowingFields values={values} errors={errors} set={set} />
      <FieldInput
        field={{
          kind: 'secret',
          label: t('Cabeçalho Authorization'),
          hint: t('Opcional, como “Bearer …”: vai em cada envio, ao lado da assinatura.'),
          max: 2000,
        }}
        value={values.authorization}
        error={errors['authorization']}
        onChange={(next) => set('authorization', next)}
      />
    </FormDrawer>
  )
}

function NarrowingFields({ values, errors, set }: { values: Values; errors: FieldErrors; set: SetField<Values> }) {
  const connections = useChoices('connections')
  const queues = useChoices('queues')
  return (
    <>
      <MultiSelect
        label={t('Eventos')}
        searchable
        hidePickedOptions
        data={offeredEvents}
        value={[...values.events]}
        error={errors['events']}
        onChange={(next) => set('events', next)}
      />
      <ManyChoice
        label={t('Só destes canais')}
        hint={t('Vazio: de todos.')}
        none={t('Nenhum canal com esse nome.')}
        options={connections}
        chosen={values.connectionIds}
        error={errors['connectionIds']}
        onChange={(next) => set('connectionIds', next)}
      />
      <ManyChoice
        label={t('Só destas filas')}
        hint={t('Vazio: de todas.')}
        none={t('Nenhuma fila com esse nome.')}
        options={queues}
        chosen={values.queueIds}
        error={errors['queueIds']}
        onChange={(next) => set('queueIds', next)}
      />
    </>
  )
}
