import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { CallInput } from '#kit/contract.ts'
import { type ProviderFields as Fields, type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import type { AssistantConfig } from '#providers/assistants/configs.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import type { SetField } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { assistants } from '../addresses.ts'
import type { AssistantAccount } from '../contract.ts'
import { accountFields } from '../table.ts'

type Values = Record<string, ProviderValues[string]>

/** Drawer of an account; `null` for a new one. */
export function AccountForm({
  config,
  account,
  others,
  onClose,
}: {
  config: AssistantConfig
  account: AssistantAccount | null
  others: readonly AssistantAccount[]
  onClose: () => void
}) {
  const { fallbackId, ...drawn } = config.fields
  const fields: Fields = { ...accountFields, ...config.fields }
  const stored = account && {
    ...startValues(fields),
    ...{ name: account.name, isActive: account.isActive, isDefault: account.isDefault },
    ...account.config,
    ...account.secrets,
  }
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(startValues(fields), {
    stored,
    checker: valuesSchema(fields),
    onClose,
  })
  const { name, isActive, isDefault, ...rest } = values
  const isSecret = (key: string) => config.fields[key]?.kind === 'secret'
  const of = (wanted: boolean) => Object.fromEntries(Object.entries(rest).filter(([key]) => isSecret(key) === wanted))
  const filled = { config: of(false), secrets: of(true) as Record<string, string> }
  const send = async () => {
    const body = { name: String(name ?? ''), isActive: isActive === true, isDefault: isDefault === true, ...filled }
    if (account) await call(assistants.update, { params: { id: account.id }, body }, { quiet: true })
    else await call(assistants.create, { body: { provider: config.id, ...body } }, { quiet: true })
    return t('Conta salva')
  }
  const form = { values, errors: { ...errors, ...ofConfig(errors) }, set }
  const [above, below] = cutBehind({ ...accountFields, ...drawn }, 'model')
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={account?.name ?? t('Nova conta de {name}', { name: config.name })}
      size={560}
    >
      {!account && <Notice tone="info">{config.help}</Notice>}
      <ProviderFields {...form} fields={above} />
      <ModelChoice account={account} config={config} filled={filled} values={values} set={set} />
      <ProviderFields {...form} fields={below} />
      <FallbackChoice fallbackId={fallbackId} others={others} values={values} set={set} />
    </FormDrawer>
  )
}

function FallbackChoice({
  fallbackId,
  others,
  values,
  set,
}: {
  fallbackId: Fields[string] | undefined
  others: readonly AssistantAccount[]
  values: Values
  set: SetField<Values>
}) {
  return (
    fallbackId &&
    others.length > 0 && (
      <Select
        label={fallbackId.label}
        description={t('A conta que responde quando esta falha. Sem nenhuma, a fila recebe a conversa.')}
        clearable
        data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values['fallbackId'] == null ? null : String(values['fallbackId'])}
        onChange={(value) => set('fallbackId', value === null ? null : Number(value))}
      />
    )
  )
}

/** The models that the provider offers to the account. */
function ModelChoice(props: {
  account: AssistantAccount | null
  config: AssistantConfig
  filled: Pick<CallInput<typeof assistants.modelsFor>['body'], 'config' | 'secrets'>
  values: Values
  set: SetField<Values>
}) {
  const { account, config, filled, values, set } = props
  const models = useMutation({
    mutationFn: () =>
      account
        ? call(assistants.models, { params: { id: account.id } }, { quiet: true })
        : call(assistants.modelsFor, { body: { provider: config.id, ...filled } }, { quiet: true }),
  })
  return (
    config.listsModels && (
      <div>
        <BusyButton variant="default" busy={models.isPending} doing={t('Perguntando')} onClick={() => models.mutate()}>
          {t('Ver os modelos do provedor')}
        </BusyButton>
        <div aria-live="polite">
          {models.error && <Notice tone="neg">{sentence(models.error)}</Notice>}
          {models.data?.problem && <Notice tone="neg">{models.data.problem}</Notice>}
          {models.data && models.data.models.length > 0 && (
            <Select
              label={t('Modelos que a conta pode usar')}
              searchable
              data={models.data.models}
              value={models.data.models.includes(String(values['model'])) ? String(values['model']) : null}
              onChange={(value) => value && set('model', value)}
            />
          )}
        </div>
      </div>
    )
  )
}

// Splits the fields, to show a provider's choices below the field that they fill in.
function cutBehind(fields: Fields, name: string): [Fields, Fields] {
  const all = Object.entries(fields)
  const end = all.findIndex(([key]) => key === name) + 1
  return [Object.fromEntries(all.slice(0, end)), Object.fromEntries(all.slice(end))]
}

// The server names a field of the config by its place there.
const ofConfig = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([key, text]) =>
      key.startsWith('config.') ? [[key.slice('config.'.length), text]] : [],
    ),
  )
