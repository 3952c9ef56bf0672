import { MultiSelect, Select, Switch, TagsInput } from '@mantine/core'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import '#web/registries.ts'
import { useRow } from '#web/resource/use-row.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { apiKeys } from '../addresses.ts'
import type { ApiKey } from '../contract.ts'
import { apiKeyChanges, apiKeyForm, isForPrograms, USUAL_SCOPES } from '../forms.ts'

type Values = {
  name: string
  sessionId: number | null
  isActive: boolean
  scopes: readonly string[]
  perMinute: number | null
  networks: readonly string[]
  takesQuery: boolean
  urlMessageStatus: string
  urlServiceStatus: string
  authToken: string
}

const empty: Values = {
  ...{ name: '', sessionId: null, isActive: true, scopes: USUAL_SCOPES, perMinute: 120, networks: [] },
  ...{ takesQuery: false, urlMessageStatus: '', urlServiceStatus: '', authToken: '' },
}
const MASK = '••••••••'

const valuesOf = (row: ApiKey): Values => ({
  ...{ name: row.name, sessionId: row.sessionId, isActive: row.isActive, scopes: row.scopes },
  ...{ perMinute: row.perMinute, networks: row.networks, takesQuery: row.takesQuery },
  ...{ urlMessageStatus: row.urlMessageStatus, urlServiceStatus: row.urlServiceStatus },
  authToken: row.hasAuthToken ? MASK : '',
})

const bodyOf = ({ sessionId: _, authToken, scopes, networks, ...rest }: Values) => ({
  ...rest,
  ...{ scopes: [...scopes], networks: [...networks] },
  ...(authToken === MASK ? {} : { authToken: authToken || null }),
})

const newChecker = {
  safeParse: (given: unknown) => {
    const values = given as Values
    return apiKeyForm.safeParse({ ...bodyOf(values), sessionId: values.sessionId })
  },
}
const changesChecker = { safeParse: (given: unknown) => apiKeyChanges.safeParse(bodyOf(given as Values)) }

/** Returns the permissions that the user may give to a key, with descriptions. */
const offered = () =>
  Object.entries(PERMISSIONS)
    .filter(([name]) => isForPrograms(name) && may(name as Permission))
    .map(([value, { allows }]) => ({ value, label: allows }))
    .sort((a, b) => a.label.localeCompare(b.label))

/** Drawer of one key: `id` of the row, or 'novo'; `onMade` gets the token of a new one. */
export function KeyForm(props: {
  id: string
  onMade: (made: { id: string; token: string }) => void
  onClose: () => void
}) {
  const { id, onMade, onClose } = props
  const isNew = id === 'novo'
  const row = useRow(apiKeys.get, id)
  const form = useDrawerForm<Values>(empty, {
    stored: isNew ? null : row.data && valuesOf(row.data),
    reading: row,
    checker: isNew ? newChecker : changesChecker,
    onClose,
  })
  const { values, set, drawer, save } = form
  const send = async () => {
    const body = bodyOf(values) as ReturnType<typeof apiKeyChanges.parse> & { name: string }
    if (isNew) onMade(await call(apiKeys.create, { body: { ...body, sessionId: values.sessionId! } }, { quiet: true }))
    else await call(apiKeys.update, { params: { id }, body }, { quiet: true })
    return t('Chave salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova chave da API') : (row.data?.name ?? t('Chave da API'))}
      size={560}
    >
      <Text name="name" label={t('Nome da API')} form={form} />
      <Limits form={form} isNew={isNew} />
      <Notices form={form} />
      <Switch
        label={t('Aceitar o token no endereço (/params)')}
        description={t('Menos seguro: endereços ficam em históricos e registros de outros sistemas.')}
        checked={values.takesQuery}
        onChange={(change) => set('takesQuery', change.currentTarget.checked)}
      />
    </FormDrawer>
  )
}

type Form = Pick<ReturnType<typeof useDrawerForm<Values>>, 'values' | 'errors' | 'set'>

/** What the key may be used for: its channel, whether it is on, its permissions, and where from. */
function Limits({ form: { values, errors, set }, isNew }: { form: Form; isNew: boolean }) {
  const connections = useChoices('connections')
  return (
    <>
      <Select
        label={t('Enviar por')}
        description={isNew ? t('Não muda depois.') : undefined}
        disabled={!isNew}
        allowDeselect={false}
        data={connections.map((one) => ({ value: String(one.id), label: one.name }))}
        value={values.sessionId === null ? null : String(values.sessionId)}
        error={errors['sessionId']}
        onChange={(next) => set('sessionId', next === null ? null : Number(next))}
      />
      <Switch
        label={t('Ligada')}
        checked={values.isActive}
        onChange={(change) => set('isActive', change.currentTarget.checked)}
      />
      <MultiSelect
        label={t('Pode')}
        description={t('Nunca mais do que você mesmo pode.')}
        searchable
        hidePickedOptions
        data={offered()}
        value={[...values.scopes]}
        error={errors['scopes']}
        onChange={(next) => set('scopes', next)}
      />
      <FieldInput
        field={{ kind: 'number', label: t('Pedidos por minuto'), min: 1, max: 600 }}
        value={values.perMinute}
        error={errors['perMinute']}
        onChange={(next) => set('perMinute', next)}
      />
      <TagsInput
        label={t('Só destes endereços')}
        description={t('IP ou rede, como 203.0.113.0/24. Vazio: de qualquer um.')}
        value={[...values.networks]}
        error={errors['networks']}
        onChange={(next) => set('networks', next)}
      />
    </>
  )
}

/** Where the key's program is notified. */
function Notices({ form }: { form: Form }) {
  const { values, errors, set } = form
  return (
    <>
      <Text
        name="urlMessageStatus"
        label={t('Avisar de mensagens em')}
        hint={t('Entrega, leitura e respostas do que esta chave enviou.')}
        form={form}
      />
      <Text
        name="urlServiceStatus"
        label={t('Avisar do canal em')}
        hint={t('Quando o canal conecta ou cai.')}
        form={form}
      />
      <FieldInput
        field={{
          kind: 'secret',
          label: t('Authorization dos avisos'),
          hint: t('Opcional: vai no cabeçalho authorization de cada aviso.'),
          max: 2000,
        }}
        value={values.authToken}
        error={errors['authToken']}
        onChange={(next) => set('authToken', next)}
      />
    </>
  )
}

function Text(props: {
  name: 'name' | 'urlMessageStatus' | 'urlServiceStatus'
  label: string
  hint?: string
  form: Form
}) {
  const { name, label, hint, form } = props
  const isName = name === 'name'
  return (
    <FieldInput
      field={{ kind: 'text', label, max: isName ? 60 : 2000, ...(hint ? { hint } : {}) }}
      autoFocus={isName}
      value={form.values[name]}
      error={form.errors[name]}
      onChange={(next) => form.set(name, next)}
    />
  )
}
