import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { present } from '#domain/present.ts'
import { type ProviderFields as Fields, type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import type { AssistantConfig } from '#providers/assistants/configs.ts'
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

/** The drawer of an account; `null` for a new one. */
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
  const send = async () => {
    const { name, isActive, isDefault, ...rest } = values
    const isSecret = (key: string) => config.fields[key]?.kind === 'secret'
    const of = (wanted: boolean) => Object.fromEntries(Object.entries(rest).filter(([key]) => isSecret(key) === wanted))
    const body = {
      ...{ name: String(name ?? ''), isActive: isActive === true, isDefault: isDefault === true, config: of(false) },
      secrets: of(true) as Record<string, string>,
    }
    if (account) await call(assistants.update, { params: { id: account.id }, body }, { quiet: true })
    else await call(assistants.create, { body: { provider: config.id, ...body } }, { quiet: true })
    return t('Conta salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={account?.name ?? t('Nova conta de {name}', { name: config.name })}
      size={560}
    >
      {!account && <Notice tone="info">{config.help}</Notice>}
      <ProviderFields
        fields={{ ...accountFields, ...drawn }}
        values={values}
        errors={{ ...errors, ...ofConfig(errors) }}
        set={set}
      />
      <ModelChoice account={account} config={config} values={values} set={set} />
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
function ModelChoice({
  account,
  config,
  values,
  set,
}: {
  account: AssistantAccount | null
  config: AssistantConfig
  values: Values
  set: SetField<Values>
}) {
  const models = useMutation({
    mutationFn: () => call(assistants.models, { params: { id: present(account).id } }, { quiet: true }),
  })
  return (
    account &&
    config.listsModels && (
      <div>
        <BusyButton variant="default" busy={models.isPending} doing={t('Perguntando')} onClick={() => models.mutate()}>
          {t('Ver os modelos do provedor')}
        </BusyButton>
        <div aria-live="polite">
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

// The server names a field of the config by its place there.
const ofConfig = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([key, text]) =>
      key.startsWith('config.') ? [[key.slice('config.'.length), text]] : [],
    ),
  )
